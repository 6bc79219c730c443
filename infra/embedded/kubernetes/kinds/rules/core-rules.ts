import type { ApiObject } from '../../api-object.ts';
import type { KindRules } from '../served-kind.ts';
import { claimRules } from './claim-rules.ts';
import { ClusterAddresses } from './cluster-addresses.ts';
import {
  configMapRules,
  eventRules,
  limitRangeRules,
  namespaceRules,
  resourceQuotaRules,
  secretRules,
} from './core-object-rules.ts';
import { dropEmptyMetadata, dropNulls } from './drop-nulls.ts';
import { cronJobRules, jobRules } from './job-rules.ts';
import { ingressRules, networkPolicyRules } from './network-rules.ts';
import { podRules } from './pod-rules.ts';
import { autoscalerRules, disruptionBudgetRules, leaseRules } from './policy-rules.ts';
import { serviceRules } from './service-rules.ts';
import { deploymentRules, replicaSetRules, statefulSetRules } from './workload-rules.ts';

interface CoreRulesOptions {
  /** The objects of a storage, such as `services`, as they are now. */
  list(storage: string): readonly ApiObject[];
  now(): number;
}

/** What Go code does for the built-in kinds elsewhere: defaults, allocation, and the validation that people meet. */
export function coreRules({ list }: CoreRulesOptions): ReadonlyMap<string, KindRules> {
  const rules: Readonly<Record<string, KindRules>> = {
    'v1/Namespace': namespaceRules,
    'v1/ConfigMap': configMapRules,
    'v1/Secret': secretRules,
    'v1/Service': serviceRules(new ClusterAddresses(() => list('services'))),
    'v1/Pod': podRules,
    'v1/Event': eventRules,
    'v1/ResourceQuota': resourceQuotaRules,
    'v1/LimitRange': limitRangeRules,
    'v1/PersistentVolumeClaim': claimRules,
    'v1/ServiceAccount': {},
    'apps/v1/Deployment': deploymentRules,
    'apps/v1/ReplicaSet': replicaSetRules,
    'apps/v1/StatefulSet': statefulSetRules,
    'batch/v1/Job': jobRules,
    'batch/v1/CronJob': cronJobRules,
    'networking.k8s.io/v1/Ingress': ingressRules,
    'networking.k8s.io/v1/NetworkPolicy': networkPolicyRules,
    'autoscaling/v2/HorizontalPodAutoscaler': autoscalerRules,
    'policy/v1/PodDisruptionBudget': disruptionBudgetRules,
    'coordination.k8s.io/v1/Lease': leaseRules,
  };
  return new Map(Object.entries(rules).map(([kind, own]) => [kind, withoutNulls(own)]));
}

function withoutNulls(rules: KindRules): KindRules {
  return {
    ...rules,
    setDefaults(object) {
      dropNulls(object);
      dropEmptyMetadata(object.metadata);
      rules.setDefaults?.(object);
    },
  };
}
