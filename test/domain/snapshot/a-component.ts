import { createHash } from 'node:crypto';
import type { StoredApplication } from '../../../shared/domain/application/application.ts';
import type { Said } from '../../../shared/domain/core/condition.ts';
import type { Step } from '../../../shared/domain/core/step.ts';
import { withConditions } from '../../../shared/domain/core/with-conditions.ts';
import type { Component, FrozenComponent, StoredComponent } from '../../../shared/domain/snapshot/component.ts';
import { decideSnapshot } from '../../../shared/domain/snapshot/decide-snapshot.ts';
import type { SeenComponent, SnapshotEffect } from '../../../shared/domain/snapshot/seen-component.ts';
import { builtComponents, contentOf, type SeenSnapshot } from '../../../shared/domain/snapshot/snapshot.ts';
import { given } from '../application/an-application.ts';

export const now = Date.parse('2026-07-01T12:00:00Z');
export const shop = { name: 'shop', uid: 'shop-uid' } as const;
const well: Said = {
  type: 'Created',
  status: 'True',
  reason: 'OK',
  message: 'Component has been successfully created',
  lastTransitionTime: '2026-07-01T11:00:00Z',
};
/** What the rows and the status of a Component say where its Application has a repository. */
const repository = { ...given, context: 'gitops', repositoryId: 'repository' };
export const told = {
  repositoryURL: given.url,
  branch: 'main',
  context: 'gitops',
  resourceGenerationSkipped: false,
};

/** A built Component of the Application shop that is as it should be. */
export function aComponent(name: string, but: Partial<Component> = {}): Component {
  return {
    uid: `${name}-uid`,
    name,
    application: shop.name,
    isDeleting: false,
    image: `quay.io/shop/${name}@sha256:1`,
    commit: '',
    source: undefined,
    env: [],
    isSkipped: false,
    said: [well],
    gitops: told,
    ...but,
  };
}

export function aRow(but: Partial<StoredApplication> = {}): StoredApplication {
  return { uid: shop.uid, repository, sequence: 0, snapshot: '', digest: '', frozen: [], ...but };
}

export function aStored(uid: string, but: Partial<StoredComponent> = {}): StoredComponent {
  return { uid, application: shop.name, repositoryId: 'repository', context: 'gitops', isGone: false, ...but };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function digestOf(
  components: readonly Component[],
  application: string = shop.name,
  frozen: readonly FrozenComponent[] = [],
): string {
  return digest(contentOf(builtComponents(components, application, frozen)));
}

/** What the row has of a state with these Components. */
export function frozenOf(components: readonly Component[]): readonly FrozenComponent[] {
  return components.map(({ uid, image, commit }) => ({ uid, image, commit }));
}

/** A Snapshot that holds the images of these Components. */
export function aSnapshot(
  name: string,
  components: readonly Component[],
  but: Partial<SeenSnapshot> = {},
): SeenSnapshot {
  const images = components.map((one) => ({ name: one.name, containerImage: one.image }));
  return { name, application: shop.name, images, isDeleting: false, owner: shop.uid, ...but };
}

/** What somebody sees who was woken for the first of these Components. Nothing has been frozen. */
export function aSight(components: readonly Component[], but: Partial<SeenComponent> = {}): SeenComponent {
  const component = 'component' in but ? but.component : components[0];
  return {
    namespace: 'team',
    name: component?.name ?? 'web',
    component,
    stored: component === undefined ? [] : [aStored(component.uid)],
    components,
    application: shop,
    row: aRow(),
    isNamespaceGoing: false,
    digest: digestOf(components, shop.name, but.row?.frozen),
    existing: [],
    refusal: undefined,
    ...but,
  };
}

/** The same, where the state was frozen before. */
export function aFrozenSight(components: readonly Component[], but: Partial<SeenComponent> = {}): SeenComponent {
  const row = aRow({ sequence: 3, snapshot: 'shop-before', digest: digestOf(components) });
  return aSight(components, { row, ...but });
}

/** The same, in words: what is done, to what. */
export function does({ effects }: Pick<Step<SnapshotEffect>, 'effects'>): string[] {
  return effects.map((effect) => {
    switch (effect.do) {
      case 'create-snapshot':
        return `create ${effect.name} ${effect.sequence}`;
      case 'freeze-state':
        return `freeze ${effect.snapshot} ${effect.sequence}`;
      case 'keep-component':
        return `keep ${effect.uid} ${effect.repositoryId ?? 'nowhere'} "${effect.context}"`;
      case 'end-component':
        return `end ${effect.uid}`;
      default:
        return effect.do;
    }
  });
}

export function knocksOf({ knocks }: Pick<Step<SnapshotEffect>, 'knocks'>): string[] {
  return knocks.map(({ type, subject }) => `${type} ${subject.name}`);
}

/** The world after the step: everything that it asked for has been done. */
export function done(seen: SeenComponent): SeenComponent {
  const { effects, conditions } = decideSnapshot(seen, { now });
  let { component, stored, existing, row } = seen;
  for (const effect of effects) {
    switch (effect.do) {
      case 'create-snapshot':
        existing = [
          ...existing,
          aSnapshot(effect.name, builtComponents(seen.components, shop.name, seen.row?.frozen ?? [])),
        ];
        break;
      case 'freeze-state':
        row = { ...aRow({ repository: row?.repository }), ...effect };
        break;
      case 'keep-component':
        stored = [...stored.filter(({ uid }) => uid !== effect.uid), aStored(effect.uid, effect)];
        break;
      case 'end-component':
        stored = stored.map((one) => (one.uid === effect.uid ? { ...one, isGone: true } : one));
        break;
      default:
        component = component && {
          ...component,
          said: withConditions(component.said, conditions, effect.at) ?? component.said,
          gitops: effect.gitops ?? component.gitops,
        };
    }
  }
  const components = seen.components.map((one) => (one.uid === component?.uid ? component : one));
  return { ...seen, component, components, stored, existing, row };
}
