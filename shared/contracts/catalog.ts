import * as knocks from './knocks.ts';
import * as requests from './requests.ts';

/** What the ways in may tell: an object of the cluster has changed. */
export const changes = Object.values(knocks);

/** Every message that may cross a queue. Not in here: does not exist. */
export const catalog = [...changes, ...Object.values(requests)];
