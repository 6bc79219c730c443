import { withSuffix } from '../core/object-name.ts';
import type { Run } from './promotion.ts';

/** The run for the environments that follow a manual one by themselves: the same for the same run, and for no other. */
export function followerName({ name, uid }: Pick<Run, 'name' | 'uid'>): string {
  return withSuffix(name, `-${uid.slice(0, 8)}`, 253);
}
