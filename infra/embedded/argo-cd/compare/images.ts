import { at, isFields, listAt } from '../kube-object.ts';

/** The images of every pod template in an object. */
export function imagesOf(object: unknown): readonly string[] {
  const templates = [
    at(object, 'spec'),
    at(object, 'spec', 'template', 'spec'),
    at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
  ];
  const containers = templates.flatMap((spec) => [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')]);
  const images = containers.map((one) => (isFields(one) ? one['image'] : undefined));
  return [...new Set(images.filter((image) => typeof image === 'string'))].sort();
}
