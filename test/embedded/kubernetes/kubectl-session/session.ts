import { applying } from './applying.ts';
import { everydayObjects } from './everyday-objects.ts';
import { kindOfOnesOwn } from './kind-of-ones-own.ts';
import { lookingAround } from './looking-around.ts';
import { rights } from './rights.ts';
import type { Chapter } from './step.ts';
import { watchingAndDeleting } from './watching-and-deleting.ts';
import { workloads } from './workloads.ts';

/** The whole session, in the order in which it is typed. */
export const session: readonly Chapter[] = [
  lookingAround,
  everydayObjects,
  applying,
  kindOfOnesOwn,
  workloads,
  rights,
  watchingAndDeleting,
];
