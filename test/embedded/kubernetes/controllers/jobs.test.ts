import { describe, expect, it } from 'vitest';
import { fieldsAt, listAt, textAt } from '../../../../infra/embedded/kubernetes/kinds/rules/fields.ts';
import { ControllerWorld } from './controller-world.ts';

function spec(annotations: object = {}, rest: object = {}) {
  const template = {
    metadata: { annotations },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'a' }] },
  };
  return { completions: 2, backoffLimit: 6, template, ...rest };
}

function conditionsOf(world: ControllerWorld): string[] {
  return listAt(world.must('Job', 'migrate'), 'status', 'conditions').map((one) => textAt(one, 'type'));
}

describe('a Job', () => {
  it('is reported complete, though nothing ran', async () => {
    const world = new ControllerWorld().start();

    await world.create('Job', 'migrate', { spec: spec() });

    expect(conditionsOf(world)).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(fieldsAt(world.must('Job', 'migrate'), 'status')['succeeded']).toBe(2);
    expect(world.names('Pod')).toEqual([]);
  });

  it('is reported failed where its template pretends to fail', async () => {
    const world = new ControllerWorld().start();

    await world.create('Job', 'migrate', { spec: spec({ 'stagecoach.dev/pretend': 'fail' }) });

    expect(conditionsOf(world)).toEqual(['FailureTarget', 'Failed']);
  });

  it('waits while it is suspended', async () => {
    const world = new ControllerWorld().start();

    await world.create('Job', 'migrate', { spec: spec({}, { suspend: true }) });

    expect(conditionsOf(world)).toEqual([]);
  });
});
