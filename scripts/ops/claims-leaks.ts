import { targetOf } from '../../shared/contracts/claims.ts';
import type { Namespace } from '../../shared/contracts/kubernetes/core-objects.ts';
import type { DeploymentTarget } from '../../shared/contracts/kubernetes/deployment-target.ts';
import type { DeploymentTargetClaim } from '../../shared/contracts/kubernetes/deployment-target-claim.ts';
import { annotations, labels, readAnnotation } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../shared/contracts/kubernetes/space-request.ts';
import { endOfLife } from '../../shared/domain/claim/time-to-live.ts';
import { lengthInWords } from './in-words.ts';

export type LeakKind =
  | 'ClaimExpired'
  | 'ClaimUnnamed'
  | 'ClaimLeaving'
  | 'TimeToLiveUnreadable'
  | 'TargetReleased'
  | 'TargetFailed'
  | 'TargetWithoutClaim'
  | 'SpaceRequestWithoutClaim'
  | 'SpaceRequestStuck'
  | 'NamespaceWithoutRequest';

/** Something that costs money or holds a name, and that nobody uses. */
export interface Leak {
  readonly kind: LeakKind;
  /** `namespace/name`, or the name alone of a namespace. */
  readonly subject: string;
  readonly what: string;
}

/** Everything that has to do with claims, as it was listed. */
export interface Stock {
  readonly claims: readonly DeploymentTargetClaim[];
  readonly targets: readonly DeploymentTarget[];
  readonly requests: readonly SpaceRequest[];
  /** Namespaces that were made for SpaceRequests. */
  readonly provisioned: readonly Namespace[];
  /** The Environments that name a claim, by `namespace/claim`. */
  readonly namedBy: ReadonlyMap<string, readonly string[]>;
}

/** A namespace is asked for to go: after two minutes whoever takes it away should be done. */
const requestPatienceMs = 2 * 60_000;
/** Behind a claim there are a target and a namespace or a whole cluster to take away. */
const claimPatienceMs = 10 * 60_000;

export function findLeaks(stock: Stock, now: number): Leak[] {
  return [
    ...stock.claims.flatMap((claim) => claimLeaks(claim, stock, now)),
    ...targetLeaks(stock),
    ...requestLeaks(stock, now),
    ...namespaceLeaks(stock),
  ];
}

export function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function claimLeaks({ metadata }: DeploymentTargetClaim, { namedBy }: Stock, now: number): Leak[] {
  const subject = keyOf(metadata);
  if (metadata.deletionTimestamp !== undefined) {
    const leaving = now - Date.parse(metadata.deletionTimestamp);
    return leaving > claimPatienceMs
      ? [{ kind: 'ClaimLeaving', subject, what: `is being deleted for ${lengthInWords(leaving)}` }]
      : [];
  }
  const timeToLive = readAnnotation(metadata.annotations, annotations.timeToLive);
  const end = endOfLife({ created: Date.parse(metadata.creationTimestamp), timeToLive });
  return [
    ...(timeToLive !== undefined && end === undefined
      ? [{ kind: 'TimeToLiveUnreadable' as const, subject, what: `"${timeToLive}" is no length of time` }]
      : []),
    ...(end !== undefined && end <= now
      ? [{ kind: 'ClaimExpired' as const, subject, what: `should have gone ${lengthInWords(now - end)} ago` }]
      : []),
    ...(namedBy.has(subject)
      ? []
      : [{ kind: 'ClaimUnnamed' as const, subject, what: 'no Environment of its namespace names it' }]),
  ];
}

function targetLeaks({ claims, targets }: Stock): Leak[] {
  const uidOf = new Map(claims.map(({ metadata }) => [keyOf(metadata), metadata.uid]));
  return targets.map(targetOf).flatMap((target): Leak[] => {
    const subject = keyOf(target);
    const { claim, phase, isDeleting } = target;
    const behind = `behind it: namespace ${target.access.defaultNamespace || '(none is named)'}`;
    if (phase === 'Failed') return [{ kind: 'TargetFailed', subject, what: behind }];
    if (isDeleting) return [];
    if (phase === 'Released') return [{ kind: 'TargetReleased', subject, what: behind }];
    if (claim === undefined) return [];
    const uid = uidOf.get(keyOf({ namespace: target.namespace, name: claim.name }));
    if (uid !== undefined && (claim.uid === undefined || claim.uid === uid)) return [];
    const gone = uid === undefined ? 'is gone' : 'is gone, and another one has its name';
    // A target may wait for a claim that was never made; only one that had it has lost something.
    if (claim.uid === undefined && phase !== 'Bound') return [];
    return [{ kind: 'TargetWithoutClaim', subject, what: `its claim ${claim.name} ${gone}` }];
  });
}

function requestLeaks({ claims, targets, requests }: Stock, now: number): Leak[] {
  const claimUids = new Set(claims.map(({ metadata }) => metadata.uid));
  const claimKeys = new Set(claims.map(({ metadata }) => keyOf(metadata)));
  const targetKeys = new Set(targets.map(({ metadata }) => keyOf(metadata)));
  return requests.flatMap(({ metadata, status }): Leak[] => {
    const subject = keyOf(metadata);
    const { namespace, deletionTimestamp } = metadata;
    const ready = status?.conditions.find(({ type }) => type === 'Ready');
    if (deletionTimestamp !== undefined) {
      const leaving = now - Date.parse(deletionTimestamp);
      return leaving > requestPatienceMs || ready?.reason === 'UnableToTerminate'
        ? [{ kind: 'SpaceRequestStuck', subject, what: `is being deleted for ${lengthInWords(leaving)}${tell(ready)}` }]
        : [];
    }
    if (ready?.reason === 'UnableToProvision')
      return [{ kind: 'SpaceRequestStuck', subject, what: `cannot be fulfilled${tell(ready)}` }];
    const claimUid = readAnnotation(metadata.annotations, annotations.claimUid);
    const claimName = metadata.labels[labels.claim];
    // Without either a person asked for it, and knows what for.
    if (claimUid === undefined && claimName === undefined) return [];
    const hasClaim =
      claimUid === undefined ? claimKeys.has(keyOf({ namespace, name: claimName ?? '' })) : claimUids.has(claimUid);
    // A target that was kept when its claim went keeps what is behind it.
    const targetName = metadata.labels[labels.target];
    const hasTarget = targetName !== undefined && targetKeys.has(keyOf({ namespace, name: targetName }));
    if (hasClaim || hasTarget) return [];
    return [{ kind: 'SpaceRequestWithoutClaim', subject, what: `its claim ${claimName ?? claimUid} is gone` }];
  });
}

function namespaceLeaks({ requests, provisioned }: Stock): Leak[] {
  const uids = new Set(requests.map(({ metadata }) => metadata.uid));
  return provisioned.flatMap(({ metadata }): Leak[] => {
    const uid = readAnnotation(metadata.annotations, annotations.spaceRequestUid);
    // Without our mark it is the toolchain operator's. One that is going is being taken care of.
    if (uid === undefined || uids.has(uid) || metadata.deletionTimestamp !== undefined) return [];
    const name = metadata.labels[labels.spaceRequest] ?? uid;
    const from = metadata.labels[labels.spaceRequestNamespace] ?? '';
    return [
      { kind: 'NamespaceWithoutRequest', subject: metadata.name, what: `its SpaceRequest ${from}/${name} is gone` },
    ];
  });
}

function tell(ready: { readonly reason: string; readonly message: string } | undefined): string {
  return ready === undefined ? '' : `: ${ready.reason}${ready.message === '' ? '' : `: ${ready.message}`}`;
}
