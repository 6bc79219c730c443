import { isObjectName } from '../domain/core/object-name.ts';
import { annotations, readAnnotation } from './kubernetes/metadata-keys.ts';

/** The promotion that wrote the snapshot into a Binding, as that says itself. Empty: a person did. */
interface PromotedBy {
  readonly promotion: string;
  readonly promotionUid: string;
}

/** As much as a column of a UID holds. */
const longest = 48;

/** Anybody may write an annotation, and these come into rows and commits. */
export function promotedBy(found: Readonly<Record<string, string>>): PromotedBy {
  const promotion = readAnnotation(found, annotations.promotion) ?? '';
  if (!isObjectName(promotion)) return { promotion: '', promotionUid: '' };
  const uid = readAnnotation(found, annotations.promotionUid) ?? '';
  return { promotion, promotionUid: isObjectName(uid) && uid.length <= longest ? uid : '' };
}
