import type { Context, Result } from './context.ts';
import { exits } from './exit.ts';
import { count } from './in-words.ts';
import { columns, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';

export interface CredentialsRotate {
  readonly resealed: number;
  readonly failed: readonly {
    readonly table: string;
    readonly column: string;
    readonly id: string;
    readonly reason: string;
  }[];
}

/** Seals everything anew that is not sealed with the newest key. The ledger keeps who did it and why. */
export async function runCredentialsRotate(
  context: Context,
  { why = '' }: { readonly why?: string | undefined },
): Promise<Result<CredentialsRotate>> {
  await context.approve(`Will seal all credentials with the newest key, as ${context.who}.`);
  const { resealed, failed } = await context.rotateCredentials();
  await context.ledger.record([
    {
      who: context.who,
      action: 'rotate-credentials',
      subject: 'cluster/credentials',
      tenant: '',
      details: { why, resealed, failed: failed.length },
      cause: context.newId(),
      correlation: undefined,
    },
  ]);
  return { code: failed.length === 0 ? exits.ok : exits.failed, value: { resealed, failed } };
}

export function renderCredentialsRotate({ resealed, failed }: CredentialsRotate, paint: Paint): string {
  const done = `${paint.good('sealed anew')}  ${count(resealed, 'credential')}`;
  if (failed.length === 0) return `${done}\nNothing is sealed with an older key any more.`;
  return [
    done,
    paint.bad(`could not be opened, and stay as they are: ${failed.length}`),
    ...indent(columns(failed.map(({ table, column, id, reason }) => [table, column, id, reason]))),
  ].join('\n');
}
