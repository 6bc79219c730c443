import { relative } from 'node:path';
import { type CommandsToType, quoteWord } from './demo/commands-to-type.ts';

interface Part {
  readonly name: string;
  readonly at: string;
  /** Why it was not started. */
  readonly missing?: string;
}

interface Welcome {
  readonly url: string;
  readonly functions: readonly string[];
  readonly real: readonly Part[];
  readonly standIns: readonly Part[];
  readonly data: string;
  /** Of the cluster that was started here; a cluster that the user named needs no telling. */
  readonly kubeconfig?: string | undefined;
  readonly commands: CommandsToType;
  /** The demo comes below, and names what to try itself. */
  readonly isDemo: boolean;
}

/** The first screen: what runs where, what of it is a stand-in, and what to try next. */
export function welcome({ url, functions, real, standIns, data, kubeconfig, commands, isDemo }: Welcome): string {
  const parts = [
    ...real.map((part) => [part.name, part.at, 'real, built and started here']),
    ...standIns
      .toSorted(byName)
      .map((part) => [
        part.name,
        part.at,
        part.missing === undefined ? 'stand-in, for development only' : `not started: ${part.missing}`,
      ]),
  ];
  const [nameWidth, atWidth] = [0, 1].map((column) => Math.max(10, ...parts.map((row) => row[column]?.length ?? 0)));
  const lines = parts.map(
    ([name = '', at = '', is = '']) => `    ${name.padEnd(nameWidth ?? 0)}  ${at.padEnd(atWidth ?? 0)}  ${is}`,
  );
  const next =
    kubeconfig === undefined
      ? [`    ${commands.ops('--help')}`]
      : [
          `    ${commands.demo}    after Ctrl-C: a sample application travels from environment to environment`,
          `    export KUBECONFIG=${quoteWord(shorter(kubeconfig))}`,
          '    kubectl api-resources --api-group=managed-gitops.redhat.com',
          '    kubectl create namespace team-a',
          `    ${commands.ops('onboard team-a --wait')}`,
          `    ${commands.ops('--help')}`,
          '    README.md follows one deployment end to end',
        ];
  return `
  Stagecoach is up at ${url}

${lines.length === 0 ? '    every part is configured: no stand-ins' : lines.join('\n')}

    console     ${url}/console
    functions   ${functions.join(', ')}
    data        ${shorter(data)}
    health      curl ${url}/healthz
    metrics     curl ${url}/metrics

${isDemo ? '' : whatToTry(next)}`;
}

function whatToTry(next: readonly string[]): string {
  return `  Try next, in another terminal:

${next.join('\n')}

  Ctrl-C stops it and everything it started.

`;
}

/** The cluster first: that is where people begin. */
const order = ['Kubernetes API', 'Argo CD', 'Git', 'PostgreSQL', 'SQS'];

function byName(one: Part, other: Part): number {
  return order.indexOf(one.name) - order.indexOf(other.name);
}

function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') ? path : near;
}
