import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderCredentialsRotate, runCredentialsRotate } from '../../scripts/ops/credentials-rotate.ts';
import { openContext } from '../../scripts/ops/open-context.ts';
import { keyIdOf } from '../../shared/adapters/postgres/cipher.ts';
import { openCredentialCipher } from '../../shared/runtime/open-world.ts';
import { openWorld, plain, type World } from './world.ts';

describe('credentials', () => {
  const file = join(tmpdir(), `stagecoach-keys-${randomBytes(6).toString('hex')}`);
  const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(async () => {
    await world.close();
    rmSync(file, { force: true });
  });

  it('are sealed anew with the newest key, and the ledger knows who did it', async () => {
    writeFileSync(file, `k1:${older}\n`);
    const context = { table: 'cluster_credentials', column: 'service_account_bearer_token', id: 'c1' };
    const sealed = openCredentialCipher({ CREDENTIAL_KEYS_FILE: file }).seal('the token', context);
    await world.sql`insert into cluster_credentials (id, service_account_bearer_token) values ('c1', ${sealed})`;

    writeFileSync(file, `k1:${older}\nk2:${newer}\n`);
    const ops = openContext(
      { ...world.settings, CREDENTIAL_KEYS_FILE: file },
      { who: 'olga', approve: async () => {} },
    );
    const { code, value } = await runCredentialsRotate(ops.context, { why: 'yearly' });
    await ops.close();

    expect(code).toBe(0);
    expect(renderCredentialsRotate(value, plain)).toContain('1 credential');
    const [row] = await world.sql`select service_account_bearer_token as token from cluster_credentials`;
    expect(keyIdOf(row?.['token'])).toBe('k2');
    expect(openCredentialCipher({ CREDENTIAL_KEYS_FILE: file }).open(row?.['token'], context)).toBe('the token');
    expect(await world.sql`select actor, details from ledger where action = 'rotate-credentials'`).toEqual([
      { actor: 'olga', details: { why: 'yearly', resealed: 1, failed: 0 } },
    ]);
  });
});
