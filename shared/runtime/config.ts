import { z } from 'zod';

/** Names of hosts, separated by commas. */
const hosts = (value: string) =>
  z
    .string()
    .regex(/^[\s\w.,-]+$/)
    .default(value)
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
    );
const whole = (least: number, value: number) => z.coerce.number().int().min(least).default(value);

/**
 * Every setting of the house, by the room that needs it, with a default wherever there can be one.
 * Secrets arrive as paths of files, never as values.
 */
const Sections = {
  database: z.object({
    DATABASE_URL: z.string().min(1),
    /** A step needs a connection for a millisecond at a time: eight keep two cores busy. */
    DATABASE_POOL_SIZE: whole(1, 8),
    DATABASE_STATEMENT_TIMEOUT_MS: whole(100, 10_000),
    DATABASE_CONNECT_TIMEOUT_MS: whole(100, 5_000),
  }),
  queues: z.object({
    /** Empty: Amazon SQS of the region. */
    AWS_ENDPOINT_URL_SQS: z.string().optional(),
    AWS_REGION: z.string().min(1).default('us-east-1'),
    /** Several installations may share an account; the prefix tells their queues apart. */
    QUEUE_PREFIX: z
      .string()
      .regex(/^[\w-]{1,32}$/)
      .default('stagecoach'),
  }),
  steps: z.object({
    /** How long a crashed step keeps its serial key. A living one renews its lease. */
    LEASE_SECONDS: z.coerce.number().min(1).default(20),
    /** When the sweeper sends a knock again that nobody has served: long enough for an ordinary backlog. */
    RESEND_SECONDS: z.coerce.number().min(1).default(60),
    RETRY_BASE_SECONDS: z.coerce.number().min(0.1).default(1),
    /** After an outage everything goes on within this time. */
    RETRY_CAP_SECONDS: z.coerce.number().min(1).max(900).default(120),
    /** At the cap, three days of outage. Then a person must look: the message becomes a dead letter. */
    RETRY_ATTEMPTS: whole(1, 2_200),
  }),
  webhooks: z.object({
    /** The file with the token that callers send. Without it, callers need a client certificate. */
    WEBHOOK_TOKEN_FILE: z.string().optional(),
    /**
     * true: admit-resource answers everybody. An API server sends no token to admission webhooks unless a file of its own
     * says so, which hosted ones do not let you write; the answer is made of the question alone and tells nothing else.
     */
    ADMISSION_WITHOUT_TOKEN: z.enum(['true', 'false']).default('false'),
    /** An audit batch of the API server is at most 10 MiB by its own default. */
    WEBHOOK_BODY_LIMIT_BYTES: whole(1_024, 10 * 1_024 * 1_024),
  }),
  console: z.object({
    /** The file with the tokens of people who may look, one a line. Without it, that of the webhooks is theirs too. */
    CONSOLE_TOKEN_FILE: z.string().optional(),
    /**
     * Who sees the console without a token. loopback: a browser on the same machine. everybody: for use behind a proxy that
     * knows its callers, because it shows what belongs to all tenants.
     */
    CONSOLE_OPEN_TO: z.enum(['nobody', 'loopback', 'everybody']).default('nobody'),
  }),
  host: z.object({
    /** Another map than serverless.yml; tests use one with functions of their own. */
    MAP_FILE: z.string().optional(),
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    TLS_CERT_FILE: z.string().optional(),
    TLS_KEY_FILE: z.string().optional(),
    TLS_CLIENT_CA_FILE: z.string().optional(),
    /** Steps at once. They wait for Postgres and the API server most of the time. */
    STEPS_AT_ONCE: whole(1, 24),
    /** Steps at once of one tenant: the bound behind "nobody waits for a neighbour". */
    STEPS_AT_ONCE_PER_TENANT: whole(1, 4),
    /** Messages of one tenant that wait in this process; the rest is put aside. */
    HELD_PER_TENANT: whole(1, 40),
    VISIBILITY_SECONDS: whole(2, 30),
    /** How long SIGTERM waits for running steps. Kubernetes kills after thirty seconds. */
    DRAIN_SECONDS: whole(0, 25),
    /** Work that is overdue by this much makes /healthz fail. */
    OVERDUE_SECONDS: whole(5, 300),
  }),
  cluster: z.object({
    KUBECONFIG: z.string().optional(),
    KUBE_CONTEXT: z.string().optional(),
    KUBERNETES_SERVICE_HOST: z.string().optional(),
  }),
  engines: z.object({
    /** The namespaces of the tenants' own cluster that hold an Argo CD, separated by commas. Others are registered with `ops engines`. */
    ARGO_CD_NAMESPACE: z.string().default('gitops-service-argocd'),
    /** How long a cluster or a repository that a tenant named may take to answer. */
    TARGET_TIMEOUT_SECONDS: z.coerce.number().min(1).max(60).default(10),
  }),
  spaces: z.object({
    /** Who fulfils SpaceRequests: we do, or the toolchain operator where one runs. */
    SPACE_REQUESTS: z.enum(['stagecoach', 'toolchain']).default('stagecoach'),
    /** The tiers that may be asked for, separated by commas. */
    SPACE_TIERS: z.string().default('appstudio-env'),
    /** Where Argo CD reaches the tenants' cluster. By default as we do. */
    SPACE_API_URL: z.url().optional(),
    /** The certificate authority of that address, where it is another than ours. */
    SPACE_API_CA_FILE: z.string().optional(),
    /** Never in production: targets made of SpaceRequests do not check the certificate of their cluster. */
    DEV_ONLY_IGNORE_SELFSIGNED_CERT_IN_DEPLOYMENT_TARGET: z.enum(['true', 'false']).default('false'),
  }),
  hosted: z.object({
    /**
     * The namespace of the tenants' cluster in which HyperShift makes hosted clusters. Without it none are made. Each has
     * a namespace of its own named after it, hence its length.
     */
    HOSTED_CLUSTERS_NAMESPACE: z
      .string()
      .regex(/^[a-z]([\da-z-]{0,38}[\da-z])?$/)
      .optional(),
    /** The Secret of that namespace with which hosted clusters fetch their images. */
    HOSTED_CLUSTERS_PULL_SECRET: z
      .string()
      .regex(/^[\da-z]([\d.a-z-]{0,251}[\da-z])?$/)
      .default('pull-secret'),
  }),
  git: z.object({
    /** Below it the service makes a repository for every Application that names none. Without it, users must name one. */
    GIT_ROOT_URL: z.url().optional(),
    /** What opens the repositories below it: a token, in a file. */
    GIT_USERNAME: z.string().default('stagecoach'),
    GIT_TOKEN_FILE: z.string().optional(),
    /** Clones are kept here so that a change costs a push and not a fetch. Losing them costs the fetch. */
    GIT_CACHE_FOLDER: z.string().optional(),
    GIT_CACHE_MEGABYTES: whole(16, 2_048),
    /** A repository that is larger than this, without its large files, is not written to. */
    GIT_REPOSITORY_MEGABYTES: whole(1, 512),
    /** How long one command of git may take. */
    GIT_TIMEOUT_SECONDS: z.coerce.number().min(1).max(120).default(20),
    /** The hosts to believe over ssh, and no others, as ssh-keyscan prints them. Without it the key of a host is taken as it comes. */
    GIT_KNOWN_HOSTS_FILE: z.string().optional(),
    /** Hosts that may be given a credential in the clear. By default nobody can listen in: the way does not leave the machine. */
    GIT_PLAIN_HTTP_HOSTS: hosts('127.0.0.1,localhost'),
    GIT_AUTHOR_NAME: z.string().min(1).default('Stagecoach'),
    GIT_AUTHOR_EMAIL: z.string().min(1).default('stagecoach@localhost'),
  }),
  retention: z.object({
    STEP_LOG_DAYS: whole(1, 30),
    LEDGER_DAYS: whole(1, 400),
    SERVED_DAYS: whole(1, 30),
  }),
  upkeep: z.object({
    /** How often everything is compared with its rows. 0: only when an operator asks for it. */
    DRIFT_INTERVAL_MINUTES: whole(0, 30),
    /**
     * In namespaces whose names end so, a drift pass deletes what was deployed for GitOpsDeployments that are gone. Empty:
     * nowhere, because it takes away what users have deployed.
     */
    ORPHAN_NAMESPACE_SUFFIX: z
      .string()
      .regex(/^[\da-z-]{0,62}$/)
      .default(''),
  }),
  credentials: z.object({
    /** A file of `id:base64` lines, 32 bytes each; the last is used for writing, the others for reading. */
    CREDENTIAL_KEYS_FILE: z.string().min(1),
  }),
  telemetry: z.object({
    LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
    STAGE: z.string().optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
    OTEL_SERVICE_NAME: z.string().default('stagecoach'),
  }),
} as const;

export type Section = keyof typeof Sections;
export type Config<Needs extends Section = Section> = {
  readonly [S in Needs]: Readonly<z.infer<(typeof Sections)[S]>>;
};
export const sections = Object.keys(Sections) as readonly Section[];

/** Reads what is needed, once, at the start; names every problem and no value. */
export function readConfig<const Needs extends Section>(
  needs: readonly Needs[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config<Needs> {
  // An empty variable is one that somebody meant to unset.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const entries = needs.map((section) => {
    const parsed = Sections[section].safeParse(given);
    if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')} (${section})`));
    return [section, Object.freeze(parsed.data)] as const;
  });
  if (problems.length > 0)
    throw new Error(`Missing or malformed settings: ${problems.join(', ')}. README.md lists them all.`);
  return Object.freeze(Object.fromEntries(entries)) as Config<Needs>;
}
