/** A part that is built with Go from one of our modules, next to this file. */
export interface Part {
  readonly version: string;
  /** A folder of modules/. */
  readonly module: 'etcd' | 'kubernetes' | 'kustomize' | 'argo-cd';
  /** The command, as Go names packages. */
  readonly package: string;
  /** What the linker is told beside leaving out debugging. */
  readonly linkFlags: readonly string[];
  /** What else of a module is needed to run it: a folder of its source, copied next to the program. */
  readonly alsoCopies?: { readonly module: string; readonly from: string; readonly to: string };
  /** Seen on two cores with nothing in Go's cache. */
  readonly minutes: number;
}

const kubernetes = '1.36.3';
const argoCd = '3.5.6';

// Without these, clients are told version 0.0.0, and kubectl and the feature gates complain.
const kubernetesVersion = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((name) => [
  `-X ${name}.gitVersion=v${kubernetes}`,
  `-X ${name}.gitMajor=1`,
  `-X ${name}.gitMinor=36`,
]);

export const partCatalog = {
  etcd: { version: '3.6.16', module: 'etcd', package: '.', linkFlags: [], minutes: 1 },
  'kube-apiserver': {
    version: kubernetes,
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    linkFlags: kubernetesVersion,
    minutes: 7,
  },
  'kube-controller-manager': {
    version: kubernetes,
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    linkFlags: kubernetesVersion,
    minutes: 2,
  },
  kubectl: {
    version: kubernetes,
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    linkFlags: kubernetesVersion,
    minutes: 1,
  },
  kustomize: {
    version: '5.8.1',
    module: 'kustomize',
    package: 'sigs.k8s.io/kustomize/kustomize/v5',
    linkFlags: [],
    minutes: 1,
  },
  'argo-cd': {
    version: argoCd,
    module: 'argo-cd',
    package: 'github.com/argoproj/argo-cd/v3/cmd',
    linkFlags: ['version=', 'gitTag=v'].map((name) => `-X github.com/argoproj/argo-cd/v3/common.${name}${argoCd}`),
    alsoCopies: { module: 'github.com/argoproj/argo-cd/v3', from: 'manifests/crds', to: 'crds' },
    minutes: 6,
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof partCatalog;

export const partNames = Object.keys(partCatalog) as readonly PartName[];
