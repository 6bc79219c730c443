import { describe, expect, it } from 'vitest';
import { adminSecretName, hostedClusterName, hostedSecretName } from '../../../shared/domain/target/hosted-cluster.ts';

const uid = '3f2a9c10-7d5e-4b1a-9c3e-0123456789ab';

describe('the name of a hosted cluster', () => {
  it('is the name of its claim and the beginning of its UID', () => {
    expect(hostedClusterName({ name: 'staging-dtc', uid }, 'clusters')).toBe('staging-dtc-3f2a9c10');
  });

  it('is another for another claim of the same name', () => {
    const other = { name: 'staging-dtc', uid: 'aaaaaaaa-7d5e-4b1a-9c3e-0123456789ab' };

    expect(hostedClusterName(other, 'clusters')).not.toBe(hostedClusterName({ name: 'staging-dtc', uid }, 'clusters'));
  });

  it.each([
    ['a name with dots', 'my.claim.v2', 'my-claim-v2-3f2a9c10'],
    ['a name that begins with a digit', '2nd-claim', 'nd-claim-3f2a9c10'],
    ['a name of digits alone', '2026', 'cluster-3f2a9c10'],
    ['a name that is cut at a dash', `${'a'.repeat(20)}-tail`, `${'a'.repeat(20)}-3f2a9c10`],
    ['a name as long as names may be', 'a'.repeat(253), `${'a'.repeat(21)}-3f2a9c10`],
  ])('is good for a service and short: %s', (_what, name, expected) => {
    const hosted = hostedClusterName({ name, uid }, 'clusters');

    expect(hosted).toBe(expected);
    expect(hosted).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);
    expect(hosted.length).toBeLessThanOrEqual(30);
  });

  it('leaves room for the namespace of its control plane, however long the namespace of the clusters is', () => {
    const namespace = 'n'.repeat(40);

    const hosted = hostedClusterName({ name: 'a'.repeat(60), uid }, namespace);

    expect(`${namespace}-${hosted}`).toHaveLength(63);
    expect(hosted).toMatch(/-3f2a9c10$/);
  });

  it('is part of the names of its Secrets', () => {
    expect(hostedSecretName('staging-dtc-3f2a9c10')).toBe('staging-dtc-3f2a9c10-kubeconfig');
    expect(adminSecretName('staging-dtc-3f2a9c10')).toBe('staging-dtc-3f2a9c10-admin-kubeconfig');
  });
});
