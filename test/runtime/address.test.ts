import { expect, it } from 'vitest';
import { Subject } from '../../shared/contracts/envelope.ts';
import { address } from '../../shared/runtime/address.ts';

const route = { function: 'advance-promotion', serial: 'application:{namespace}/{application}', tenant: undefined };
const addressed = (application: string) =>
  address(
    route,
    { id: '1', type: 'promotion.changed.v1', subject: { namespace: 'team', name: 'a', application } },
    {
      cause: undefined,
      correlation: undefined,
      traceparent: undefined,
    },
  );

it('a message keeps to the line of the application that its subject belongs to', () => {
  expect(addressed('shop').serialKey).toBe('application:team/shop');
});

it.each(['', 'no\0ne', 'x'.repeat(254), '../other'])(
  'what a tenant calls an application makes no message unreadable: %j',
  (written) => {
    const { subject, serialKey } = addressed(written);

    expect(Subject.parse(subject)).toEqual({ namespace: 'team', name: 'a' });
    expect(serialKey).toBe('advance-promotion:team/a');
  },
);
