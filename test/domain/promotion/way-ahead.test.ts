import { expect, it } from 'vitest';
import type { GraphEnvironment } from '../../../shared/domain/promotion/promotion.ts';
import { wayAhead } from '../../../shared/domain/promotion/way-ahead.ts';

/** `dev`, `stage<dev manual`, `prod<stage by spinnaker`, `old<dev leaving`. */
function graph(...described: string[]): GraphEnvironment[] {
  return described.map((text) => {
    const [place = '', ...words] = text.split(' ');
    const [name = '', parent = ''] = place.split('<');
    return {
      name,
      parent,
      isDeleting: words.includes('leaving'),
      isAutomated: !words.includes('manual'),
      controller: words[0] === 'by' ? (words[1] ?? '') : '',
      isClaiming: false,
      stepDeadlineSeconds: 300,
      targetDeadlineSeconds: 3_600,
    };
  });
}

it('is one depth after the other, up to what stops it', () => {
  const environments = graph(
    'dev',
    'qa<dev',
    'load<dev',
    'stage<qa manual',
    'prod<stage',
    'lab<load by spinnaker',
    'old<dev leaving',
    'night<load',
  );

  expect(wayAhead(['dev'], environments)).toEqual({
    next: [['load', 'qa'], ['night']],
    stops: [
      { name: 'old', why: 'leaving', controller: '', behind: 'dev' },
      { name: 'lab', why: 'external', controller: 'spinnaker', behind: 'load' },
      { name: 'stage', why: 'manual', controller: '', behind: 'qa' },
    ],
  });
  expect(wayAhead(['stage'], environments)).toEqual({ next: [['prod']], stops: [] });
});

it('ends where nothing follows, and goes nowhere from nowhere', () => {
  expect(wayAhead(['dev'], graph('dev'))).toEqual({ next: [], stops: [] });
  expect(wayAhead([], graph('dev', 'stage<dev'))).toEqual({ next: [], stops: [] });
});

it('passes nothing twice', () => {
  const moved = graph('stage', 'dev<stage', 'prod<dev');

  expect(wayAhead(['stage'], moved, ['dev'])).toEqual({ next: [], stops: [] });
});

it('leaves a circle alone', () => {
  expect(wayAhead(['dev'], graph('dev', 'a<b', 'b<a', 'stage<dev'))).toEqual({ next: [['stage']], stops: [] });
});
