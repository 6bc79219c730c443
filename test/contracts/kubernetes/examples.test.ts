import { describe, expect, it } from 'vitest';
import { example, examples, kindOf } from './examples.ts';

const ours = [...examples].filter(([, { kind }]) => kind !== 'Secret');

describe('an example of the design documents', () => {
  it.each(ours)('%s is read by the contract of its kind', (_file, manifest) => {
    const kind = kindOf(manifest);

    const read = kind?.Schema.parse(manifest);

    expect(read).toMatchObject({ kind: manifest.kind, metadata: { name: manifest.metadata.name } });
  });

  it.each(ours)('%s reads the same when what was read is read again', (_file, manifest) => {
    const once = kindOf(manifest)?.Schema.parse(manifest);

    const twice = kindOf(manifest)?.Schema.parse(once);

    expect(twice).toEqual(once);
  });

  it('is there for every YAML block that shows a resource', () => {
    const perDocument = Object.groupBy(examples.keys(), (file) => file.slice(0, 1));

    // A block that shows two objects, or one object in two forms, is two files; a block that is repeated is one.
    expect(Object.entries(perDocument).map(([document, files]) => [document, files?.length])).toEqual([
      ['1', 14],
      ['2', 7],
      ['3', 8],
      ['4', 4],
    ]);
  });

  it('that speaks the other spelling is understood', () => {
    const environment = kindOf(example('1-05-environment.yaml'))?.Schema.parse(example('1-05-environment.yaml'));
    const deployment = kindOf(example('4-01-gitops-deployment.yaml'))?.Schema.parse(
      example('4-01-gitops-deployment.yaml'),
    );

    expect(environment).toMatchObject({
      spec: {
        unstableConfigurationFields: {
          kubernetesCredentials: {
            apiURL: 'https://api.prod.example.com:6443',
            clusterCredentialsSecret: 'prod-cluster-creds-secret',
          },
        },
      },
    });
    expect(deployment).toMatchObject({
      spec: { source: { repoURL: 'https://github.com/jgwest/app', targetRevision: 'master' } },
    });
  });

  it('keeps what only other people understand', () => {
    const snapshot = example('1-02-snapshot.yaml');
    const small = example('3-07-deployment-target-class.yaml');

    expect(kindOf(snapshot)?.Schema.parse(snapshot)).toMatchObject({
      spec: { artifacts: { unstableFields: { attributes: ['qeApproved'] } } },
    });
    expect(kindOf(small)?.Schema.parse(small)).toMatchObject({ spec: { parameters: { numOfNodes: 3 } } });
  });
});
