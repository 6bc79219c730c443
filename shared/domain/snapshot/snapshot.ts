import { type Component, type FrozenComponent, imageProblem } from './component.ts';

/** One image of a state: what a Snapshot is told apart by. */
export interface FrozenImage {
  readonly name: string;
  readonly containerImage: string;
}

/** A Snapshot that is there already. */
export interface SeenSnapshot {
  readonly name: string;
  readonly application: string;
  readonly images: readonly FrozenImage[];
  readonly isDeleting: boolean;
  /** The UID of the Application that owns it, where one does. */
  readonly owner: string | undefined;
}

/**
 * The Components of an Application that can be deployed, in the order of their names. One whose image went bad keeps what
 * was frozen of it before: only its end takes it out of what runs. Nobody invents an image for the others.
 */
export function builtComponents(
  components: readonly Component[],
  application: string,
  frozen: readonly FrozenComponent[],
): readonly Component[] {
  return components
    .filter((one) => one.application === application && !one.isDeleting)
    .flatMap((one) => deployable(one, frozen) ?? [])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function deployable(component: Component, frozen: readonly FrozenComponent[]): Component | undefined {
  const { uid, image } = component;
  if (image !== '' && imageProblem(image) === undefined) return component;
  const kept = frozen.find((one) => one.uid === uid);
  return kept && { ...component, image: kept.image, commit: kept.commit };
}

/** What is frozen of them, as a text: the same for the same images, and another one for any other. */
export function contentOf(built: readonly Component[]): string {
  return JSON.stringify(built.map(({ name, image }) => [name, image]));
}

/**
 * Is it a state of this very Application with exactly these images? What one of the same name has left behind is about to
 * go with it.
 */
export function holds(
  { application, images, isDeleting, owner }: SeenSnapshot,
  built: readonly Component[],
  of: { readonly name: string; readonly uid: string },
): boolean {
  return (
    !isDeleting &&
    application === of.name &&
    (owner === undefined || owner === of.uid) &&
    images.length === built.length &&
    built.every(({ name, image }) => images.some((one) => one.name === name && one.containerImage === image))
  );
}

/** The spec of a new one. The commit of an image goes before what the user asked to be built. */
export function snapshotSpec(built: readonly Component[], application: string) {
  const components = built.map(({ name, image: containerImage, source, commit }) => {
    if (source === undefined) return { name, containerImage };
    const revision = commit || source.revision;
    return { name, containerImage, source: { git: { url: source.url, ...(revision !== '' && { revision }) } } };
  });
  const build = built.flatMap(({ image: containerImage, source, commit }) =>
    source === undefined || commit === ''
      ? []
      : [{ containerImage, sourceRepository: { url: source.url, commitID: commit } }],
  );
  return { application, components, ...(build.length > 0 && { artifacts: { unstableFields: { build } } }) };
}
