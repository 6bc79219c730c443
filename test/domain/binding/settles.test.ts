import { describe, expect, it } from 'vitest';
import type { SeenBinding } from '../../../shared/domain/binding/binding.ts';
import type { Moment } from '../../../shared/domain/core/step.ts';
import {
  aBinding,
  aComponent,
  aDeployment,
  anApplication,
  anEnvironment,
  aRenderedSight,
  aSight,
  aSnapshot,
  decide,
  now,
  said,
  storedFor,
  today,
  toldSight,
  turnedRound,
  waited,
} from './a-binding.ts';

const two = {
  snapshot: aSnapshot('web', 'api'),
  components: [aComponent('web'), aComponent('api')],
  binding: aBinding({ components: ['y', 'x'].map((name) => ({ name, configuration: undefined })) }),
};
const deployments = [
  aDeployment('web'),
  aDeployment('gone'),
  aDeployment('also'),
  aDeployment('api', { commit: 'old' }),
];
const trouble = { reason: 'CredentialMissing', message: 'None', since: now, at: now };
const rows = ['b', 'a'].map((uid) => ({ ...storedFor(aSight()), uid }));

const sights: [string, SeenBinding, Moment][] = [
  ['new', aSight(two), today],
  ['rendered', aRenderedSight(two), today],
  ['deployed', aRenderedSight({ ...two, deployments }), today],
  ['with others behind it', aRenderedSight({ ...two, followers: ['z', 'y'] }), today],
  ['behind another one', aRenderedSight({ ...two, deployments, rival: 'first' }), today],
  ['made again', aSight({ ...two, stored: rows }), today],
  ['gone', aSight({ binding: undefined, stored: rows }), today],
  [
    'without its Environment',
    { ...aRenderedSight({ ...two, deployments }), environment: undefined },
    waited(9, 'EnvironmentGone'),
  ],
  ['in trouble', aRenderedSight({ ...two, deployments }, { renderedDigest: undefined, trouble }), today],
  [
    'rendered by others from now on',
    { ...toldSight(aRenderedSight({ ...two, deployments })), application: anApplication({ isRenderedByOthers: true }) },
    today,
  ],
  [
    'manual, with changes that wait',
    {
      ...aRenderedSight({ ...two, deployments, environment: anEnvironment({ isAutomated: false }) }),
      components: [aComponent('web', { replicas: 3 }), aComponent('api', { unsupportedEnv: ['A'] })],
    },
    today,
  ],
];

describe('a Binding', () => {
  it.each(sights)('that is %s decides the same, whatever the order of what it sees', (_what, seen, moment) => {
    expect(decide(turnedRound(seen), moment)).toEqual(decide(seen, moment));
  });

  it.each(sights.filter(([, { binding, rival }]) => binding && !rival))(
    'that is %s says the same thing once',
    (_w, seen, moment) => {
      const later = { ...moment, now: moment.now + 5_000 };

      expect(decide(toldSight(seen), later).effects).not.toContainEqual(expect.objectContaining({ do: 'tell-user' }));
    },
  );

  it('that has everything decides nothing', () => {
    const seen = toldSight(aRenderedSight({ ...two, deployments: [aDeployment('api'), aDeployment('web')] }));

    expect(decide(seen)).toMatchObject({ effects: [], knocks: [], next: { kind: 'settled' } });
    expect(decide(toldSight(seen), waited(60, 'Rendering'))).toEqual(decide(seen));
  });

  it('keeps the time of what it said, and of what it says anew has the time of now', () => {
    const old = said('Reconciled', 'True', 'Reconciled');
    const seen = toldSight(aRenderedSight({ binding: aBinding({ status: { bindingConditions: [old] } }) }));
    const { bindingConditions, gitopsRepoConditions } = seen.binding?.status ?? aBinding().status;

    expect(bindingConditions).toEqual([old]);
    expect(gitopsRepoConditions).toMatchObject([{ lastTransitionTime: '2026-07-01T12:00:00Z' }]);
  });

  it('tells no value of any variable in a step', () => {
    const secret = { env: [{ name: 'PASSWORD', value: 'hunter2' }] };
    const seen = aSight({
      components: [aComponent('web', secret)],
      environment: anEnvironment(secret),
      application: anApplication({ configuration: secret }),
      binding: aBinding({ components: [{ name: 'web', configuration: secret }] }),
    });

    expect(JSON.stringify(decide(seen))).not.toContain('hunter2');
    expect(JSON.stringify(toldSight(aRenderedSight(seen)).binding?.status)).not.toContain('hunter2');
  });
});
