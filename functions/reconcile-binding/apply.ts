import { bindings, gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Binding, BindingEffect, DeploymentShape } from '../../shared/domain/binding/binding.ts';
import { bindingLabels } from '../../shared/domain/binding/binding-labels.ts';
import { considerBinding } from '../../shared/domain/binding/consider-binding.ts';
import type { Deploying } from '../../shared/domain/binding/consider-deployments.ts';
import { labelPatch } from '../../shared/domain/binding/deployment-labels.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import type { SeenByStep, Services } from './observe.ts';

/** Labels, then deployments, and what is said comes last: it says what is true by then. */
export async function applyBinding(
  seen: SeenByStep,
  step: Step<BindingEffect>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name, binding, application } = seen;
  const { local } = clusters;
  if (binding === undefined) return;
  const key = { namespace, name };
  const considered = application === undefined ? undefined : considerBinding(seen, binding, application);
  const deploying = considered?.deploying;
  // Labels make another version of the object, over which the status is then written.
  const isTouched = step.effects.some((effect) => effect.do === 'label-binding');

  for (const effect of step.effects) {
    switch (effect.do) {
      case 'label-binding': {
        const metadata = { resourceVersion: binding.version, labels: bindingLabels(binding) };
        await there(local.patch(bindings, key, { metadata }, { signal }), name);
        break;
      }
      case 'delete-binding':
        await local.remove(bindings, key, { uid: effect.uid, signal });
        break;
      case 'create-deployment': {
        const wanted = deploying?.create.find((one) => one.name === effect.name);
        if (wanted === undefined) break;
        const metadata = {
          namespace,
          name: wanted.name,
          labels: wanted.labels,
          annotations: { [annotations.commit.key]: wanted.commit },
          ownerReferences: [ownerOf(name, binding)],
        };
        await local.create(gitOpsDeployments, { metadata, spec: specOf(wanted.spec) }, { signal });
        break;
      }
      case 'update-deployment':
        await updateDeployment(effect.name, namespace, deploying, (patch) =>
          there(local.patch(gitOpsDeployments, { namespace, name: effect.name }, patch, { signal }), effect.name),
        );
        break;
      case 'remove-deployment': {
        const uid = seen.deployments.find((one) => one.name === effect.name)?.uid;
        await local.remove(gitOpsDeployments, { namespace, name: effect.name }, { uid, signal });
        break;
      }
      case 'tell-user': {
        const status =
          seen.rival === undefined && considered !== undefined
            ? considered.status(effect.at)
            : {
                // What it had deployed goes.
                gitopsDeployments: [],
                bindingConditions:
                  withConditions(binding.status.bindingConditions, step.conditions, effect.at) ??
                  binding.status.bindingConditions,
              };
        const metadata = isTouched ? {} : { resourceVersion: binding.version };
        await there(local.patch(bindings, key, { metadata, status }, { subresource: 'status', signal }), name);
        break;
      }
      default:
    }
  }
}

async function updateDeployment(
  name: string,
  namespace: string,
  deploying: Deploying | undefined,
  patch: (patch: object) => Promise<void>,
): Promise<void> {
  const wanted = deploying?.update.find((one) => one.name === name);
  if (wanted === undefined) return;
  const { over, spec, labels, commit } = wanted;
  await patch({
    metadata: {
      namespace,
      name,
      resourceVersion: over.version,
      labels: labelPatch(over.labels, labels) ?? {},
      annotations: { [annotations.commit.key]: commit },
    },
    // Both spellings at once are refused: those that are understood and never written go.
    spec: {
      source: { ...spec.source, repository: null, revision: null },
      destination: { ...spec.destination, managedEnvironment: null },
      type: spec.type,
      syncPolicy: null,
    },
  });
}

function ownerOf(name: string, { uid }: Binding) {
  return {
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'SnapshotEnvironmentBinding',
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

function specOf({ source, destination, type }: DeploymentShape): object {
  const isOwnNamespace = destination.environment === '' && destination.namespace === '';
  return { source, type, ...(!isOwnNamespace && { destination }) };
}

/** It went while we looked at it. */
async function there(written: Promise<boolean>, name: string): Promise<void> {
  if (!(await written)) throw new Conflict(`${name} is gone`);
}
