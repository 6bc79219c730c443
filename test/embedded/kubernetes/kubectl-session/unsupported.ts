import { type Chapter, type } from './step.ts';

/** What needs a machine that runs containers; the embedded server says that it has none. */
export const unsupported: Chapter = {
  title: 'what needs a machine, on the embedded API server',
  namespace: 'default',
  steps: [
    type('kubectl run lone --image=example/lone:1 >/dev/null && kubectl logs lone'),
    type('kubectl exec lone -- ls'),
    type('kubectl port-forward pod/lone 0:80'),
    type('kubectl attach lone'),
    type('kubectl cp kept.yaml lone:/tmp/kept.yaml'),
    type('kubectl debug lone --image=example/debug'),
  ],
};
