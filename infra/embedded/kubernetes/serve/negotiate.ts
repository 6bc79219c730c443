import { StatusError } from '../status-error.ts';

/** The forms that a read may be asked for in. */
export type View = 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface Accepted {
  readonly view: View;
  readonly yaml: boolean;
  /** The media type of the answer. */
  readonly contentType: string;
}

const plain: Accepted = { view: 'Object', yaml: false, contentType: 'application/json' };

/** The first form in the Accept header that this server has; clients list the ones they prefer first. */
export function negotiate(accept: string | undefined): Accepted {
  if (accept === undefined || accept.trim() === '') return plain;
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const asked = new Map(parameters.map((parameter) => parameter.split('=', 2) as [string, string]));
    if (!['application/json', 'application/yaml', 'application/*', '*/*'].includes(type)) continue;
    const as = asked.get('as');
    const yaml = type === 'application/yaml';
    const media = yaml ? type : 'application/json';
    if (as === undefined) return { view: 'Object', yaml, contentType: media };
    if (asked.get('g') !== 'meta.k8s.io' || asked.get('v') !== 'v1') continue;
    if (as === 'Table') return { view: 'Table', yaml, contentType: media };
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList')
      return { view: as, yaml, contentType: media };
  }
  throw new StatusError(
    406,
    'NotAcceptable',
    'only the following media types are accepted: application/json, application/yaml',
  );
}
