import type { PromotionReader } from '../../../shared/ports/promotion-reader.ts';
import type { EnvironmentList } from './environments.ts';

/** What the views are made of. */
export interface Sources {
  readonly reader: PromotionReader;
  readonly environments: () => Promise<EnvironmentList>;
}
