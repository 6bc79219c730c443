import { claims, classes, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import { Conflict, Refused } from '../../../../shared/ports/trouble.ts';
import type { Chance } from './chance.ts';

const amounts = ['500m', '1', '2', '4'] as const;
const arches = ['', '', 'amd64', 'arm64'] as const;
const nowhere = { defaultNamespace: '', apiURL: '', clusterCredentialsSecret: '', allowInsecureSkipTLSVerify: false };
const somewhere = { ...nowhere, apiURL: 'https://cluster.example', clusterCredentialsSecret: 'opens-it' };

/** The classes of a run: none, one whose provisioner nobody here is, and one that does not exist. */
interface Classes {
  readonly retain: string;
  readonly missing: string;
}

/** Makes, changes and deletes claims and targets as people and tools may, at random. */
export function openTroublemaker(chance: Chance, cluster: Cluster, namespace: string, { retain, missing }: Classes) {
  let made = 0;
  const fresh = (kind: string): string => `${kind}${++made}`;
  const anyClaim = (): string => `c${1 + chance.below(Math.max(2, made))}`;
  const anyTarget = (): string => `t${1 + chance.below(Math.max(2, made))}`;
  const className = (): string => chance.oneOf(['', '', '', retain, missing]);
  const resources = (): object | undefined =>
    chance.happens(50)
      ? {
          ...(chance.happens(70) && { requests: { cpu: chance.oneOf(amounts) } }),
          ...(chance.happens(30) && { limits: { memory: chance.oneOf(amounts), storage: chance.oneOf(amounts) } }),
        }
      : undefined;

  async function makeClaim(name = fresh('c')): Promise<void> {
    const targetName = chance.happens(25) ? anyTarget() : undefined;
    await cluster.create(claims, {
      metadata: { name, namespace },
      spec: {
        deploymentTargetClassName: className(),
        arch: chance.oneOf(arches),
        ...(targetName !== undefined && { targetName }),
        ...withResources(),
      },
    });
  }

  async function makeTarget(name = fresh('t')): Promise<void> {
    const claim = chance.happens(20) ? anyClaim() : undefined;
    await cluster.create(targets, {
      metadata: { name, namespace },
      spec: {
        deploymentTargetClassName: className(),
        kubernetesCredentials: chance.happens(10) ? nowhere : somewhere,
        arch: chance.oneOf(arches),
        ...(claim !== undefined && { claimRef: { name: claim } }),
        ...withResources(),
      },
    });
  }

  function withResources(): object {
    const given = resources();
    return given === undefined ? {} : { resources: given };
  }

  const patchTarget = (patch: object) => cluster.patch(targets, { namespace, name: anyTarget() }, patch);

  /** What everybody does, and what never makes a binding doubtful. */
  const calm: readonly (() => Promise<unknown>)[] = [
    () => makeClaim(),
    () => makeClaim(),
    () => makeClaim(),
    () => makeTarget(),
    () => makeTarget(),
    () => makeTarget(),
    () => patchTarget({ spec: { kubernetesCredentials: somewhere } }),
    () => patchTarget({ metadata: { annotations: { touched: fresh('x') } } }),
    () => patchTarget({ spec: { arch: chance.oneOf(arches) } }),
    () => patchTarget({ spec: { resources: resources() ?? null } }),
    () =>
      cluster.patch(claims, { namespace, name: anyClaim() }, { metadata: { annotations: { touched: fresh('x') } } }),
    () => cluster.remove(claims, { namespace, name: anyClaim() }),
  ];

  /** What tears at a binding. */
  const rough: readonly (() => Promise<unknown>)[] = [
    () => cluster.remove(targets, { namespace, name: anyTarget() }),
    () => cluster.remove(claims, { namespace, name: anyClaim() }),
    () => cluster.patch(claims, { namespace, name: anyClaim() }, { metadata: { finalizers: null } }),
    () => makeClaim(anyClaim()),
    () => makeTarget(anyTarget()),
    () => patchTarget({ spec: { claimRef: null } }),
    () => patchTarget({ spec: { claimRef: { name: anyClaim(), uid: null } } }),
  ];

  return {
    async prepare(): Promise<void> {
      const spec = { provisioner: 'nobody.example/makes-them', parameters: {}, reclaimPolicy: 'Retain' };
      await cluster.create(classes, { metadata: { name: retain }, spec });
    },
    /** One deed. What the API server does not let anybody do was not done. */
    async act(isRough: boolean): Promise<void> {
      const deed = chance.oneOf(isRough && chance.happens(50) ? rough : calm);
      await deed().catch((error: unknown) => {
        if (!(error instanceof Conflict) && !(error instanceof Refused)) throw error;
      });
    },
  };
}
