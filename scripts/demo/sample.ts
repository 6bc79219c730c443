import type { NewObject } from '../../shared/ports/cluster.ts';

/** A Component of the sample, and the port that it listens on. */
interface SampleComponent {
  readonly name: string;
  readonly port: number;
}

interface SampleEnvironment {
  readonly name: string;
  readonly displayName: string;
  readonly parent: string;
  readonly isAutomated: boolean;
}

export const namespace = 'demo';
export const application = 'bookshop';

export const components: readonly SampleComponent[] = [
  { name: 'storefront', port: 8080 },
  { name: 'catalogue', port: 8081 },
  { name: 'checkout', port: 8082 },
];

/** A build goes to the second one by itself; a person lets it into the third, and the fourth follows that. */
export const environments: readonly SampleEnvironment[] = [
  { name: 'development', displayName: 'Development', parent: '', isAutomated: true },
  { name: 'staging', displayName: 'Staging', parent: 'development', isAutomated: true },
  { name: 'production-eu', displayName: 'Production, Europe', parent: 'staging', isAutomated: false },
  { name: 'production-us', displayName: 'Production, America', parent: 'production-eu', isAutomated: true },
];

/** Where a person decides. */
export const gate = 'production-eu';

/** The graph as the first lines show it: names, and below them how a snapshot gets there. */
export function drawGraph(): readonly [string, string] {
  const arrow = ' ──▶ ';
  const widths = environments.map(({ name }) => name.length);
  const strategies = environments.map(({ isAutomated }, at) =>
    (isAutomated ? 'by itself' : 'by a person').padEnd(widths[at] ?? 0),
  );
  return [
    environments.map(({ name }, at) => name.padEnd(strategies[at]?.length ?? 0)).join(arrow),
    strategies.join(' '.repeat(arrow.length)).trimEnd(),
  ];
}

/** Nobody pulls it: the pods of the stand-in, and those beside the real API server, only pretend to run. */
export function imageOf(component: string, build: number): string {
  return `registry.example.com/${application}/${component}:${build}`;
}

/** The build that an image is of. Zero: somebody else's. */
export function buildOf(image: string): number {
  return Number(/^registry\.example\.com\/.*:(?<build>\d+)$/.exec(image)?.groups?.['build'] ?? 0);
}

export function claimOf({ name }: SampleEnvironment): NewObject {
  return {
    metadata: { namespace, name: `${name}-dtc` },
    spec: { deploymentTargetClassName: 'isolation-level-namespace' },
  };
}

export function environmentOf({ name, displayName, parent, isAutomated }: SampleEnvironment): NewObject {
  return {
    metadata: { namespace, name },
    spec: {
      displayName,
      deploymentStrategy: isAutomated ? 'AppStudioAutomated' : 'Manual',
      parentEnvironment: parent,
      configuration: {
        env: [{ name: 'ENVIRONMENT', value: name }],
        target: { deploymentTargetClaim: { claimName: `${name}-dtc` } },
      },
    },
  };
}

export function componentOf({ name, port }: SampleComponent, build: number): NewObject {
  return {
    metadata: { namespace, name },
    spec: { application, componentName: name, containerImage: imageOf(name, build), targetPort: port },
  };
}

export const applicationObject: NewObject = {
  metadata: { namespace, name: application },
  spec: { displayName: 'Bookshop', description: 'The sample application of npm start -- --demo' },
};
