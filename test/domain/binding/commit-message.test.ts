import { describe, expect, it } from 'vitest';
import { commitMessage } from '../../../shared/domain/binding/commit-message.ts';

const dev = {
  application: 'shop',
  environment: 'dev',
  snapshot: 'v2',
  name: 'shop-dev',
  generation: 3,
  promotion: 'run-1',
  cause: 'promotion run-1',
  isGone: false,
};

describe('the message of a commit', () => {
  it('B33 names what it was made of: application, environment, snapshot, Binding, promotion and cause', () => {
    expect(commitMessage([dev], [])).toBe(
      [
        'Deploy v2 to dev',
        '',
        'Stagecoach-Application: shop',
        'Stagecoach-Environment: dev',
        'Stagecoach-Snapshot: v2',
        'Stagecoach-Binding: shop-dev generation 3',
        'Stagecoach-Promotion: run-1',
        'Stagecoach-Cause: promotion run-1',
        '',
      ].join('\n'),
    );
  });

  it('says nothing of a promotion where there was none', () => {
    expect(commitMessage([{ ...dev, promotion: '', cause: '' }], [])).not.toMatch(/Promotion|Cause/);
  });

  it('has a group of trailers for each Binding, each beginning with its application', () => {
    const prod = { ...dev, environment: 'prod', name: 'shop-prod', promotion: '', cause: 'configuration' };
    const [title, blank, ...trailers] = commitMessage([dev, prod], []).trimEnd().split('\n');

    expect([title, blank]).toEqual(['Deploy 2 changes to 2 environments', '']);
    expect(trailers.map((line) => line.split(':')[0]?.replace('Stagecoach-', ''))).toEqual([
      ...['Application', 'Environment', 'Snapshot', 'Binding', 'Promotion', 'Cause'],
      ...['Application', 'Environment', 'Snapshot', 'Binding', 'Cause'],
    ]);
  });

  it.each<[string, Parameters<typeof commitMessage>]>([
    ['Remove shop from dev', [[{ ...dev, isGone: true }], []]],
    [
      'Remove 2 deployments from 2 environments',
      [
        [
          { ...dev, isGone: true },
          { ...dev, environment: 'prod', isGone: true },
        ],
        [],
      ],
    ],
    [
      'Deploy 2 changes to dev',
      [
        [
          { ...dev, isGone: true },
          { ...dev, name: 'again' },
        ],
        [],
      ],
    ],
    ['Remove web', [[], ['web']]],
    ['Remove 2 components', [[], ['api', 'web']]],
  ])('begins with what was done: %s', (title, [changes, components]) => {
    expect(commitMessage(changes, components).split('\n')[0]).toBe(title);
  });

  it('tells what was taken away, in place of a snapshot', () => {
    const message = commitMessage([{ ...dev, isGone: true }], ['api']);

    expect(message).toContain('Stagecoach-Environment: dev\nStagecoach-Removed: environment\nStagecoach-Binding');
    expect(message).toMatch(/\nStagecoach-Removed: component api\n$/);
    expect(message).not.toContain('Stagecoach-Snapshot');
  });

  it.each(['\n', '\r\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\u0000'])(
    'lets nobody smuggle a trailer in behind the end of a line: %j',
    (end) => {
      const forged = `x${end}Stagecoach-Snapshot: forged`;
      const message = commitMessage([{ ...dev, snapshot: forged, promotion: forged, cause: forged }], [forged]);

      expect(
        message.split(/[\n\r\v\u0085\u2028\u2029]/).filter((line) => line.startsWith('Stagecoach-Snapshot')),
      ).toEqual(['Stagecoach-Snapshot: x Stagecoach-Snapshot: forged']);
      expect(message.split('\n')).toHaveLength(10);
    },
  );

  it('has no endless lines', () => {
    const lines = commitMessage([{ ...dev, promotion: 'x'.repeat(5_000) }], []).split('\n');

    expect(Math.max(...lines.map(({ length }) => length))).toBe(500);
  });
});
