import type { Command } from 'commander';
import { act, verb, writing } from './wiring.ts';

/** The verbs about Argo CDs: what they are called, and what they take. */
export function addEngineVerbs(program: Command): void {
  const engines = program.command('engines').description('Argo CDs, and the tenants that are placed on them');

  verb(
    engines,
    'list',
    'Every Argo CD that is registered: its cluster, its namespace, what it carries, and whether it takes new tenants. Changes nothing.',
    ['engines list', 'engines list --json'],
  ).action((_options: unknown, command: Command) =>
    act(command, async () => {
      const { runEnginesList, renderEnginesList } = await import('./engines-list.ts');
      return { run: runEnginesList, render: renderEnginesList };
    }),
  );

  writing(
    verb(
      engines,
      'add',
      'Registers an Argo CD of another cluster, or renews the token of a known one. Looks at the cluster first. Writes, and asks before.\nThe kubeconfig must have a token; it is stored sealed, with the address and the certificate authority.',
      [
        'engines add --kubeconfig ./east.yaml --namespace argocd',
        'engines add --kubeconfig ./edge.yaml --context admin@edge --namespace argocd --transport agent --why "first edge site"',
      ],
    ),
  )
    .option('--kubeconfig <file>', 'how to reach its cluster, with a token')
    .option('--context <name>', 'the context of the kubeconfig (default: its current one)')
    .option('--namespace <name>', 'the namespace of Argo CD there')
    .option('--transport <way>', 'queue: we tell it at once. agent: its own agent works off Operation objects', 'queue')
    .action((_options: unknown, command: Command) =>
      act(command, async (options) => {
        const { runEnginesAdd, renderEnginesAdd } = await import('./engines-add.ts');
        return { run: (context) => runEnginesAdd(context, options), render: renderEnginesAdd };
      }),
    );

  for (const [name, accepts, description] of [
    ['drain', false, 'Gives an Argo CD no new tenants; those that it has stay. Writes, and asks before.'],
    ['open', true, 'Gives an Argo CD new tenants again. Writes, and asks before.'],
  ] as const) {
    writing(verb(engines, `${name} <id>`, description, [`engines ${name} 0b54… --why "maintenance"`])).action(
      (id: string, _options: unknown, command: Command) =>
        act(command, async ({ why }) => {
          const { runEnginesAccept, renderEnginesAccept } = await import('./engines-accept.ts');
          return { run: (context) => runEnginesAccept(context, { id, accepts, why }), render: renderEnginesAccept };
        }),
    );
  }

  writing(
    verb(
      engines,
      'move <tenant> <id>',
      'Places a tenant on another Argo CD. Writes, and asks before.\nRefused while the tenant has an application, a credential or anything else beside the one it is on. The tenant is a namespace, by its name or UID.',
      ['engines move team-a 0b54… --why "more room"'],
    ),
  ).action((namespace: string, id: string, _options: unknown, command: Command) =>
    act(command, async ({ why }) => {
      const { runEnginesMove, renderEnginesMove } = await import('./engines-move.ts');
      return { run: (context) => runEnginesMove(context, { namespace, id, why }), render: renderEnginesMove };
    }),
  );
}
