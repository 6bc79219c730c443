import * as knocks from './knocks.ts';

/** Every message that may cross a queue. Not in here: does not exist. */
export const catalog = Object.values(knocks);
