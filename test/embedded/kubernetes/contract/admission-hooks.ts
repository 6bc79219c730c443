import type { AdmissionAnswer, AdmissionRequest } from '../../../support/admission-server.ts';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import { until } from '../../../support/until.ts';

const registration = 'admissionregistration.k8s.io/v1';
const probeLabel = 'contract.example.com/probe';

export interface Hook {
  /** Of the webhook, as refusals name it. */
  readonly name: string;
  /** The path of its configuration. */
  readonly path: string;
  /** What it was asked, oldest first. */
  readonly requests: readonly AdmissionRequest[];
  readonly reviews: readonly Readonly<Record<string, unknown>>[];
}

export interface HookSettings {
  readonly type?: 'Validating' | 'Mutating';
  /** Only requests in this namespace are meant, and it is here that the hook is waited for. */
  readonly namespace: string;
  readonly answer?: (request: AdmissionRequest) => AdmissionAnswer | undefined | Promise<AdmissionAnswer | undefined>;
  /** Fields of the webhook that differ: rules, failurePolicy, selectors, clientConfig … */
  readonly webhook?: Readonly<Record<string, unknown>>;
  /** Of the configuration: webhooks are asked in the order of these names. */
  readonly prefix?: string;
}

export const maps = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], scope: '*' };
export const onMaps = (...operations: string[]) => [{ ...maps, operations }];

export const configurations = (type: 'Validating' | 'Mutating', name?: string) =>
  pathOf(registration, `${type.toLowerCase()}webhookconfigurations`, undefined, name);

function isProbe({ object }: AdmissionRequest): boolean {
  const labels = (object?.['metadata'] as { labels?: Record<string, string> } | undefined)?.labels;
  return labels?.[probeLabel] !== undefined;
}

/** Every namespace is given a service account and a certificate by a controller, at any time. */
function isHousekeeping({ resource, name }: AdmissionRequest): boolean {
  return resource.resource === 'serviceaccounts' || name === 'kube-root-ca.crt';
}

/** Registers a webhook that is asked about config maps, unless told otherwise, and waits until it is in force. */
export async function hook(world: ApiWorld, settings: HookSettings): Promise<Hook> {
  const {
    type = 'Validating',
    namespace,
    answer = () => ({ allowed: true }),
    webhook = {},
    prefix = 'hook',
  } = settings;
  const admin = world.client();
  const config = freshName(prefix);
  const name = `${config}.example.com`;
  const server = await world.webhookServer((request) => {
    if (isProbe(request)) return { allowed: false };
    return isHousekeeping(request) ? { allowed: true } : answer(request);
  });
  const isMeant = (request: AdmissionRequest) => !isProbe(request) && !isHousekeeping(request);
  const common = {
    clientConfig: server.clientConfig,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  };
  const probed = { matchLabels: { [probeLabel]: config } };
  const created = await admin.create(configurations(type), {
    apiVersion: registration,
    kind: `${type}WebhookConfiguration`,
    metadata: { name: config },
    webhooks: [
      // Denies what is labelled for it, so that it shows when the configuration is in force. First, because a mutating
      // webhook that fails keeps the others from being asked.
      { ...common, name: `probe.${name}`, rules: onMaps('CREATE'), objectSelector: probed },
      { ...common, name, rules: onMaps('CREATE', 'UPDATE', 'DELETE'), ...webhook },
    ],
  });
  if (created.code !== 201) throw new Error(`the webhook was refused: ${created.text}`);
  await until(`the webhook ${name} to be in force`, async () => {
    const metadata = { name: freshName('probe'), labels: { [probeLabel]: config } };
    const path = pathOf('v1', 'configmaps', namespace);
    const { body } = await admin.create(path, { metadata }, { dryRun: 'All' });
    return body.message?.includes('denied the request');
  });
  return {
    name,
    path: configurations(type, config),
    get requests() {
      return server.requests.filter(isMeant);
    },
    get reviews() {
      return server.reviews.filter(({ request }) => isMeant(request as AdmissionRequest));
    },
  };
}
