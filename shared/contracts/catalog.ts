import * as knocks from './knocks.ts';
import * as requests from './requests.ts';

/** What the ways in may tell: an object of the cluster has changed, or what was made for a claim or a target has. */
export const changes = [...Object.values(knocks), requests.TargetRequested, requests.TargetReleased];

/** Every message that may cross a queue. Not in here: does not exist. */
export const catalog = [...Object.values(knocks), ...Object.values(requests)];
