import { annotationOf, type KubeObject } from '../kube-object.ts';

/** The order that an object asks for with argocd.argoproj.io/sync-wave; 0 unless it is a whole number. */
export function waveOf(object: KubeObject): number {
  const said = annotationOf(object, 'argocd.argoproj.io/sync-wave') ?? '';
  return /^-?\d{1,9}$/.test(said) ? Number(said) : 0;
}
