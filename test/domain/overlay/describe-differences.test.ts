import { describe, expect, it } from 'vitest';
import { describeDifferences } from '../../../shared/domain/overlay/describe-differences.ts';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { anInput } from './a-repository.ts';

const web = anInput({
  env: [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ],
});

describe('what differs between two renderings', () => {
  it.each<[string, Partial<OverlayInput>, string[]]>([
    ['nothing', {}, []],
    ['replicas', { replicas: 2 }, ['web: replicas']],
    ['the image', { image: 'quay.io/team/web:v2' }, ['web: image']],
    ['resources', { resources: { limits: { cpu: '2' } } }, ['web: resources']],
    ['the port', { port: 80 }, ['web: port']],
    ['the pull secret', { pullSecret: 'secret' }, ['web: pull secret']],
    ['the way in', { expose: { with: 'Ingress', host: 'secret.example.com' } }, ['web: way in from outside']],
    ['the base', { kustomizeBase: 'apps/web' }, ['web: base']],
    [
      'variables',
      {
        env: [
          { name: 'C', value: 'secret' },
          { name: 'A', value: 'secret' },
        ],
      },
      ['web: env C', 'web: env A', 'web: env B'],
    ],
    ['their order', { env: web.env.toReversed() }, ['web: order of env']],
    ['several things', { replicas: 2, port: 80, env: [] }, ['web: replicas', 'web: port', 'web: env A', 'web: env B']],
  ])('%s', (_what, but, words) => {
    const told = describeDifferences([web], [{ ...web, ...but }]);

    expect(told).toEqual(words);
    expect(told.join()).not.toContain('secret.');
  });

  it('nothing, where one of them was stored in between', () => {
    const exposed = anInput({ expose: { with: 'HTTPRoute', host: 'a.example.com', gateway: undefined } });

    expect(describeDifferences([JSON.parse(JSON.stringify(exposed))], [exposed])).toEqual([]);
  });

  it('components that come and go', () => {
    const [api, db] = [anInput({ component: 'api' }), anInput({ component: 'db' })];

    expect(describeDifferences([web, api], [db, web])).toEqual(['api: removed', 'db: added']);
  });

  it('is told in the same words in whatever order the components come', () => {
    const after = [anInput({ component: 'api', port: 1 }), anInput({ port: 1 })];
    const before = [anInput(), anInput({ component: 'api' })];

    expect(describeDifferences(before, after)).toEqual(['api: port', 'web: port']);
    expect(describeDifferences(before.toReversed(), after.toReversed())).toEqual(['api: port', 'web: port']);
  });
});
