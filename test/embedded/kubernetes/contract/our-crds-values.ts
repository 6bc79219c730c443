import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName } from '../../../support/api-world.ts';
import {
  type Fields,
  invalid,
  leastSpecs,
  type OurKind,
  ourKindNames,
  ourObject,
  pathOfOurs,
} from './our-crds-objects.ts';
import { misreported, refusedValues } from './our-crds-value-cases.ts';

/** What the least specs say without being made to by the schema: a rule wants one of several fields. */
const optional = new Set([
  'Component.containerImage',
  'PromotionRun.manualPromotion',
  'GitOpsDeploymentManagedEnvironment.credentialsSecret',
]);

/** Required fields of every kind, one by one. */
const required = ourKindNames.flatMap((kind) =>
  Object.keys(leastSpecs[kind])
    .filter((field) => !optional.has(`${kind}.${field}`))
    .map((field) => [kind, field] as const),
);

function conditioned(kind: OurKind): boolean {
  return kind !== 'Operation' && kind !== 'DeploymentTargetClass' && kind !== 'SnapshotEnvironmentBinding';
}

export function describeOurValues(world: () => ApiWorld): void {
  let namespace: string;
  const admin = () => world().client();

  beforeAll(async () => {
    namespace = await world().namespace();
  });

  async function created(kind: OurKind, spec: Fields): Promise<string> {
    const object = ourObject(kind, 'one', { spec });
    const { code, body } = await admin().create(pathOfOurs(kind, namespace), object, { dryRun: 'All' });
    return code === 201 ? 'OK' : body.message.replace(invalid(kind, 'one'), '');
  }

  async function reported(kind: OurKind, status: Fields): Promise<string> {
    const name = freshName('one');
    await admin().create(pathOfOurs(kind, namespace), ourObject(kind, name, { spec: leastSpecs[kind] }));
    const path = pathOfOurs(kind, namespace, name, 'status');
    const { code, body } = await admin().patch(path, 'merge', { status });
    return code === 200 ? 'OK' : body.message.replace(invalid(kind, name), '');
  }

  describe('of our kinds, a value', () => {
    it.each(ourKindNames)('of %s is missed nowhere where only the least is said', async (kind) => {
      expect(await created(kind, leastSpecs[kind])).toBe('OK');
    });

    it.each(required)('of %s is missed where %s is', async (kind, field) => {
      expect(await created(kind, { ...leastSpecs[kind], [field]: undefined })).toContain(
        `spec.${field}: Required value`,
      );
    });

    it.each(refusedValues)('of %s that is not allowed is refused: %j', async (kind, spec, error) => {
      expect(await created(kind, { ...leastSpecs[kind], ...spec })).toContain(error);
    });

    it.each(misreported)('of the status of %s that is not allowed is refused: %j', async (kind, status, error) => {
      expect(await reported(kind, status)).toContain(error);
    });
  });

  describe('of our kinds, a condition', () => {
    const good = {
      type: 'Ready',
      status: 'True',
      reason: 'OK',
      message: '',
      lastTransitionTime: '2026-11-16T10:00:00Z',
    };

    it.each(ourKindNames.filter(conditioned))('of %s is let in, and kept to its words', async (kind) => {
      expect(await reported(kind, { conditions: [good] })).toBe('OK');
      expect(await reported(kind, { conditions: [{ ...good, type: undefined }] })).toContain('.type: Required value');
      // The status of a SpaceRequest is its own operator's affair.
      if (kind === 'SpaceRequest') return;
      expect(await reported(kind, { conditions: [{ ...good, status: 'Maybe' }] })).toContain(
        'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
      );
    });
  });

  describe('of our kinds, a default', () => {
    it.each([
      ['Environment', {}, { promotion: { stepDeadline: '5m', targetDeadline: '1h' } }],
      [
        'Environment',
        { promotion: { stepDeadline: '1m' } },
        { promotion: { stepDeadline: '1m', targetDeadline: '1h' } },
      ],
      [
        'Application',
        { gitOpsRepository: { url: 'https://a' } },
        { gitOpsRepository: { url: 'https://a', renderedBy: 'Stagecoach' } },
      ],
      ['Component', {}, { skipGitOpsResourceGeneration: false }],
      ['DeploymentTargetClass', {}, { allowTargetResourceExpansion: false }],
      [
        'GitOpsDeploymentManagedEnvironment',
        {},
        { allowInsecureSkipTLSVerify: false, createNewServiceAccount: false, clusterResources: false },
      ],
    ] as const)('of %s is filled in: %j', async (kind, spec, expected) => {
      const object = ourObject(kind, 'one', { spec: { ...leastSpecs[kind], ...spec } });

      const { body } = await admin().create(pathOfOurs(kind, namespace), object, { dryRun: 'All' });

      expect(body.spec).toEqual({ ...leastSpecs[kind], ...spec, ...expected });
    });
  });
}
