import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { againstFloor, type Measure, type Measured } from './measure.ts';
import { openBenchWorld, startBenchHost } from './world.ts';

const warmUp = 100;
const turns = 500;

/** Ours and the floor, turn by turn, in the same run: what disturbs the one disturbs the other. */
async function compare(name: string, word: 'started' | 'done', tell: (progress: string) => void): Promise<Measured> {
  const world = await openBenchWorld();
  const sqs = new SQSClient({});
  try {
    for (const QueueName of ['stagecoach-bare-in', 'stagecoach-bare-out'])
      await sqs.send(new CreateQueueCommand({ QueueName }));
    const host = await startBenchHost('host', world.environment);
    const bare = await startBenchHost('bare', world.environment);
    const ours: number[] = [];
    const floor: number[] = [];
    for (let turn = 0; turn < warmUp + turns; turn += 1) {
      const took = await host.time(word, 'told', `ours-${turn}`, 1);
      const tookBare = await bare.time(word, 'told', `bare-${turn}`, 1);
      if (turn >= warmUp) {
        ours.push(took);
        floor.push(tookBare);
      }
      if (turn % 250 === 0) tell(`${turn} of ${warmUp + turns}`);
    }
    await Promise.all([host.stop(), bare.stop()]);
    return againstFloor(name, ours, floor, 1.5);
  } finally {
    sqs.destroy();
    await world.close();
  }
}

export const eventToFunction: Measure = {
  name: 'event-to-function',
  asks: 'How long from an event at the door until its function starts?',
  run: (tell) => compare('event-to-function', 'started', tell),
};

export const fullStep: Measure = {
  name: 'full-step',
  asks: 'How long from an event at the door until its step is committed and its follow-up sent?',
  run: (tell) => compare('full-step', 'done', tell),
};
