import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Broker } from '../../../infra/embedded/queue/broker.ts';
import { toRow } from '../../../infra/embedded/queue/message.ts';
import { arnOf, defaultAttributes } from '../../../infra/embedded/queue/queue-settings.ts';
import { redriveTo, temporaryFolder } from '../../support/queue-endpoints.ts';

const Names = ['work', 'dead', 'ordered.fifo'] as const;

/** One thing that happens: to which queue, what, and a number that settles the rest. */
const Happening = fc.record({
  queue: fc.constantFrom(...Names),
  what: fc.constantFrom(
    'send',
    'send',
    'send',
    'receive',
    'receive',
    'drop',
    'hold',
    'take back',
    'wait',
    'turn',
    'purge',
  ),
  number: fc.nat(1000),
});

function happen(broker: Broker, { queue: name, what, number }: { queue: string; what: string; number: number }): void {
  const queue = broker.queue(name);
  const all = [...queue.messages.values()];
  const flying = all.filter((message) => message.state === 'in-flight');
  const some = all[number % Math.max(1, all.length)];
  const held = flying[number % Math.max(1, flying.length)];
  if (what === 'send') {
    broker.put(queue, { body: 'x'.repeat(number), bodyMd5: '', group: `g${number % 4}` }, number % 5 === 0 ? 20 : 0);
  } else if (what === 'receive') broker.receive(queue, 1 + (number % 10), number % 40);
  else if (what === 'drop' && some !== undefined) broker.drop(queue, [some]);
  else if (what === 'hold' && held !== undefined) broker.setVisibility(queue, held, number % 30);
  else if (what === 'take back' && held !== undefined) broker.takeBack(queue, [held], [held.handOuts]);
  else if (what === 'purge' && number % 20 === 0) broker.purge(queue);
}

function stateOf(broker: Broker): unknown {
  const queues = Names.map((name) => {
    const queue = broker.queue(name);
    const messages = [...queue.messages.values()].map((message) => ({ ...toRow(message), state: message.state }));
    return { name, ready: queue.ready, messages: messages.sort((a, b) => a.seq - b.seq) };
  });
  return JSON.parse(JSON.stringify({ next: broker.nextSeq, queues }));
}

test('whatever happened, a server that reads the journal is where the one that wrote it was', async () => {
  const { folder, remove } = await temporaryFolder();
  let run = 0;
  let rewritten = 0;

  const property = fc.asyncProperty(fc.array(Happening, { minLength: 50, maxLength: 300 }), async (happenings) => {
    run += 1;
    const home = join(folder, String(run));
    const copy = join(home, 'copy');
    mkdirSync(copy, { recursive: true });
    let time = 1_000_000;
    const now = () => time;
    const broker = new Broker({ folder: home, now, compactAboveBytes: 5_000 });
    for (const name of Names) {
      const redrive = name === 'work' ? redriveTo(arnOf('dead'), 2) : {};
      broker.declare(name, { ...defaultAttributes(name.endsWith('.fifo')), ...redrive }, {});
    }

    for (const happening of happenings) {
      happen(broker, happening);
      if (happening.what === 'wait') time += happening.number * 50;
      if (happening.what === 'turn') await turn();
    }
    broker.journal.flush();
    copyFileSync(join(home, 'journal.log'), join(copy, 'journal.log'));
    const reader = new Broker({ folder: copy, now });

    expect(stateOf(reader)).toEqual(stateOf(broker));
    rewritten += broker.journal.compactions;
    reader.journal.close();
    broker.journal.close();
  });
  await fc.assert(property, { numRuns: 60, seed: 20261116 }).finally(remove);

  expect(rewritten).toBeGreaterThan(20);
});
