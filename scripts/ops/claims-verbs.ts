import type { Command } from 'commander';
import { act, limitOption, verb, writing } from './wiring.ts';

/** The verbs about claims: what they are called, and what they take. */
export function addClaimVerbs(program: Command): void {
  const claims = program.command('claims').description('Claims, what they hold, and what leaks');

  verb(
    claims,
    'list [namespace]',
    'Every claim: what it has, who answers for it, how long it may live, what it waits for; and what is of use to nobody any more. "claims" alone does the same. Changes nothing. Ends with 1 where something leaks.',
    ['claims', 'claims team-a', 'claims --json'],
    { isDefault: true },
  )
    .addOption(limitOption('claims to show; --json has all', 100))
    .action((namespace: string | undefined, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const [{ runClaims }, { renderClaims }] = await Promise.all([
          import('./claims.ts'),
          import('./render-claims.ts'),
        ]);
        return {
          run: (context) => runClaims(context, { namespace }),
          render: (value, paint) => renderClaims(value, limit, paint),
        };
      }),
    );

  writing(
    verb(
      claims,
      'recycle <target>',
      'Makes a Released target Available: the next claim that fits gets it. Writes, and asks before.\nRefused while a claim has it, and where what is behind it could not be freed. The target is namespace/name.',
      ['claims recycle team-a/staging-dt --why "cleaned up by hand"'],
    ),
  ).action((target: string, _options: unknown, command: Command) =>
    act(command, async ({ why }) => {
      const { runClaimsRecycle, renderClaimsRecycle } = await import('./claims-recycle.ts');
      return { run: (context) => runClaimsRecycle(context, { target, why }), render: renderClaimsRecycle };
    }),
  );
}
