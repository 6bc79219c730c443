import type { Claims, ListedClaim } from './claims.ts';
import type { Leak, LeakKind } from './claims-leaks.ts';
import { count, lengthInWords } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';

/** How many things of one kind are shown; `--json` has all of them. */
const thingsShown = 10;

/** What the words for machines mean, and what to do about them. `next` is told the first thing of its kind. */
const kinds: Readonly<
  Record<LeakKind, { readonly meaning: string; readonly next: (namespace: string, name: string) => string }>
> = {
  ClaimExpired: {
    meaning: 'a claim that has outlived its time to live: it should have been deleted by itself',
    next: (namespace, name) =>
      `why it was not: npm run ops -- explain DeploymentTargetClaim ${namespace}/${name}; by hand: kubectl delete -n ${namespace} deploymenttargetclaim/${name}`,
  },
  ClaimUnnamed: {
    meaning: 'a claim that no Environment names: nothing can be deployed to what it holds',
    next: (namespace, name) =>
      `name it in an Environment, or: kubectl delete -n ${namespace} deploymenttargetclaim/${name}`,
  },
  ClaimLeaving: {
    meaning: 'a claim that is being deleted and does not go',
    next: (namespace, name) => `what it waits for: npm run ops -- explain DeploymentTargetClaim ${namespace}/${name}`,
  },
  TimeToLiveUnreadable: {
    meaning: 'a claim whose time to live cannot be read: it never ends by itself',
    next: (namespace, name) =>
      `kubectl annotate --overwrite -n ${namespace} deploymenttargetclaim/${name} stagecoach.dev/ttl=72h`,
  },
  TargetReleased: {
    meaning: 'a target whose claim is gone, and which is not given away again by itself',
    next: (namespace, name) =>
      `clean up what is behind it, then: npm run ops -- claims recycle ${namespace}/${name}; or give it up: kubectl delete -n ${namespace} deploymenttarget/${name}`,
  },
  TargetFailed: {
    meaning: 'a target of which what is behind it could not be freed',
    next: (namespace, name) =>
      `who cannot free it, and why: kubectl describe -n ${namespace} deploymenttarget/${name} spacerequests; it goes by itself when that ends`,
  },
  TargetWithoutClaim: {
    meaning: 'a target that is kept for a claim which is gone',
    next: (namespace, name) =>
      `it should become Released: npm run ops -- explain DeploymentTarget ${namespace}/${name}`,
  },
  SpaceRequestWithoutClaim: {
    meaning: 'a SpaceRequest that was made for a claim which is gone, and has no target either',
    next: (namespace, name) =>
      `it should have been deleted by itself; by hand: kubectl delete -n ${namespace} spacerequest/${name}`,
  },
  SpaceRequestStuck: {
    meaning: 'a SpaceRequest that cannot be fulfilled, or does not go',
    next: (namespace, name) => `npm run ops -- explain SpaceRequest ${namespace}/${name}`,
  },
  NamespaceWithoutRequest: {
    meaning: 'a namespace that was made for a SpaceRequest which is gone',
    next: (_namespace, name) => `look that nobody needs it, then: kubectl delete namespace ${name}`,
  },
};

export function renderClaims({ claims, leaks }: Claims, limit: number, paint: Paint): string {
  return [
    ...(claims.length === 0 ? ['There are no claims.'] : firstOf(table(claims, paint), limit + 1)),
    '',
    ...(leaks.length === 0
      ? [paint.good('Nothing leaks.')]
      : (Object.keys(kinds) as LeakKind[]).flatMap((kind) => groupInWords(kind, leaks, paint))),
  ]
    .join('\n')
    .trimEnd();
}

function table(claims: readonly ListedClaim[], paint: Paint): string[] {
  const titles = ['claim', 'phase', 'class', 'target', 'environments', 'owner', 'age', 'left', 'waits for'];
  return columns([
    titles.map(paint.dim),
    ...claims.map((claim) => [
      `${claim.namespace}/${claim.name}`,
      phaseInWords(claim, paint),
      claim.class || '-',
      claim.target || '-',
      claim.environments.join(', ') || paint.wait('none'),
      claim.owner ?? '-',
      lengthInWords(claim.ageSeconds * 1_000),
      leftInWords(claim, paint),
      claim.waitsFor === undefined ? '' : `${claim.waitsFor.reason}: ${claim.waitsFor.message}`,
    ]),
  ]);
}

function phaseInWords({ phase, isDeleting }: ListedClaim, paint: Paint): string {
  if (isDeleting) return paint.wait('leaving');
  if (phase === 'Bound') return paint.good(phase);
  return phase === 'Lost' ? paint.bad(phase) : paint.wait(phase || 'unseen');
}

function leftInWords({ secondsLeft }: ListedClaim, paint: Paint): string {
  if (secondsLeft === undefined) return '-';
  return secondsLeft > 0 ? lengthInWords(secondsLeft * 1_000) : paint.bad('over');
}

function groupInWords(kind: LeakKind, all: readonly Leak[], paint: Paint): string[] {
  const leaks = all.filter((leak) => leak.kind === kind);
  const [first] = leaks;
  if (first === undefined) return [];
  const { meaning, next } = kinds[kind];
  const [namespace = '', name = ''] = first.subject.includes('/') ? first.subject.split('/') : ['', first.subject];
  return [
    `${paint.bad(kind)}  ${count(leaks.length, 'thing')}  ${meaning}`,
    ...indent(firstOf(columns(leaks.map(({ subject, what }) => [subject, what])), thingsShown)),
    ...indent([paint.dim(`next: ${next(namespace, name)}`)]),
    '',
  ];
}
