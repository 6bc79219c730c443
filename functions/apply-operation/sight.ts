import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import type { Operation } from '../../shared/contracts/kubernetes/operation.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { WrittenProject } from '../../shared/domain/gitops/app-project.ts';
import type { ObservedOperation, OperationSight } from '../../shared/domain/gitops/operation.ts';
import type { WrittenApplication } from '../../shared/domain/gitops/written-application.ts';
import type { WrittenSecret } from '../../shared/domain/gitops/written-object.ts';
import type { Cluster, Clusters } from '../../shared/ports/cluster.ts';
import type { EngineCheck } from '../../shared/ports/engine-check.ts';
import type { OperationRows } from '../../shared/ports/operation-rows.ts';

/** What the looks of one message have found out that the next look needs to know. */
export interface Memory {
  /** Something was not as it was recorded: everything is read. */
  distrust: boolean;
  /** What the API server refused for good, in words for the user. */
  refused: string | undefined;
}

export interface Services {
  readonly clusters: Clusters;
  readonly rows: OperationRows;
  readonly engines: EngineCheck;
  readonly memory: Memory;
}

/** What would be written of one object, and the patch where it is there and differs. */
export interface Writing {
  readonly secret?: WrittenSecret | undefined;
  readonly project?: WrittenProject | undefined;
  readonly application?: WrittenApplication | undefined;
  readonly patch?: object | undefined;
  /** Of the project as it should be; undefined: it should not be. */
  readonly digest?: string | undefined;
  /** Of the object that was seen. */
  readonly uid?: string | undefined;
}

/** An Operation object that asks for nothing that may be done. */
export interface StrayObject {
  readonly kind: 'stray';
  readonly object: Operation;
  /** unknown: nobody knows the operation; the object is left alone, and collected when it is old. */
  readonly verdict: 'unknown' | 'misplaced' | 'ended';
}

/** An agent is done with its object: whoever handed the operation over has to look. */
export interface DoneByAgent {
  readonly kind: 'done-by-agent';
  readonly subject: Subject;
  readonly object?: undefined;
}

export interface SeenOperation {
  readonly kind: 'operation';
  readonly sight: OperationSight;
  readonly observed: ObservedOperation;
  readonly cluster: Cluster;
  readonly object?: Operation | undefined;
  /** By the name of the object. */
  readonly writings: ReadonlyMap<string, Writing>;
  readonly applications: ReadonlyMap<string, ArgoApplication>;
  /** Of the project as it should be; undefined: it should not be. */
  readonly digest?: string | undefined;
}

export type Seen = StrayObject | DoneByAgent | SeenOperation;
