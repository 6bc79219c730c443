import type { GitOpsBench } from './open-gitops-bench.ts';
import type { Side } from './side.ts';

interface Turns {
  readonly warmUp: number;
  readonly turns: number;
  readonly tell: (progress: string) => void;
}

/** Ours and the floor, turn by turn; each begins when everything is still. */
export async function turnByTurn(
  bench: Pick<GitOpsBench, 'ours' | 'floor' | 'quiet'>,
  { warmUp, turns, tell }: Turns,
  turn: (side: Side, name: 'ours' | 'floor', at: number) => Promise<number>,
): Promise<{ ours: readonly number[]; floor: readonly number[] }> {
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let at = 0; at < warmUp + turns; at += 1) {
    if (at % 20 === 0) tell(`${at} of ${warmUp + turns}`);
    await bench.quiet();
    const took = await turn(bench.ours, 'ours', at);
    await bench.quiet();
    const tookBare = await turn(bench.floor, 'floor', at);
    if (at < warmUp) continue;
    ours.push(took);
    floor.push(tookBare);
  }
  return { ours, floor };
}
