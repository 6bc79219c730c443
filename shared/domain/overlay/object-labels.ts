import type { OverlayInput } from './overlay.ts';

type Named = Pick<OverlayInput, 'component' | 'componentName' | 'application'>;

/** On the objects themselves. */
export function labelsOf({ component, componentName, application }: Named): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': componentName,
    ...instanceLabel(component),
    'app.kubernetes.io/part-of': application,
    'app.kubernetes.io/managed-by': 'kustomize',
    'app.kubernetes.io/created-by': 'stagecoach',
  };
}

/** What pods are found by. A selector can never change, so nothing else is in it. */
export function instanceLabel(component: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/instance': component };
}
