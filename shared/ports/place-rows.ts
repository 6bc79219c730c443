import type { StoredApplication } from '../domain/application/application.ts';
import type { RepositoryPlace } from '../domain/application/repository-place.ts';
import type { StoredComponent } from '../domain/snapshot/component.ts';
import type { ObjectKey } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** An object of a tenant, told apart from others that have, or had, its name. */
interface Identified extends ObjectKey {
  readonly uid: string;
}

/** Where Applications and their Components are kept, and which state of an Application was frozen last. */
export interface PlaceRows {
  /** A text that is the same for the same text and another one for any other. */
  digest(text: string): string;
  /** Of every Application that had this name, whichever UID it had. Throws Transient where the database is away. */
  observe(application: ObjectKey): Promise<readonly StoredApplication[]>;
  /** Without a place: somebody has looked at it. */
  keep(application: Identified, place: RepositoryPlace | undefined): readonly RowWrite[];
  /** What it had in repositories is known by the rows of its Components and Bindings. */
  forget(uid: string): RowWrite;
  /** Only over the state before it, whose sequence is smaller by one. A Conflict says that somebody froze another one first. */
  freeze(
    application: Identified,
    state: Pick<StoredApplication, 'sequence' | 'snapshot' | 'digest' | 'frozen'>,
  ): RowWrite;
  /** Of every Component that had this name. Throws Transient where the database is away. */
  observeComponent(component: ObjectKey): Promise<readonly StoredComponent[]>;
  keepComponent(component: ObjectKey & Omit<StoredComponent, 'isGone'>): RowWrite;
  /** Its directory has to go. One that has none is forgotten. */
  endComponent(component: StoredComponent): RowWrite;
}
