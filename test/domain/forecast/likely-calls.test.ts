import { describe, expect, it } from 'vitest';
import { likelyCalls } from '../../../src/domain/forecast/game.ts';
import { Queue } from '../../../src/domain/forecast/play.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import type { LeadResult } from '../../../src/domain/lead.ts';
import { aCall } from './game.ts';

describe('likely calls', () => {
  it('are those that were seen, each about as often', () => {
    const share = shareOf(
      likelyCalls([...some(30, 'answered'), ...some(70, 'busy')], 1_000, random()),
      null,
    );
    expect(share('answered')).toBeGreaterThan(0.25);
    expect(share('answered')).toBeLessThan(0.35);
  });

  it('after a result are those that were seen after it, the more the more of them were seen', () => {
    const after = aCall({ result: 'answered', before: 'busy' });
    const few = [...some(100, 'no_answer'), ...Array.from({ length: 5 }, () => after)];
    const many = [...some(100, 'no_answer'), ...Array.from({ length: 400 }, () => after)];
    expect(shareOf(likelyCalls(few, few.length, random()), 'busy')('answered')).toBeLessThan(0.5);
    expect(shareOf(likelyCalls(many, many.length, random()), 'busy')('answered')).toBeGreaterThan(
      0.9,
    );
  });

  it('after a result of which no second call was seen repeat it more often, and the number exists', () => {
    const seen = [...some(40, 'answered'), ...some(40, 'no_answer'), ...some(40, 'invalid_number')];
    const share = shareOf(likelyCalls(seen, 600, random()), 'no_answer');
    expect(share('invalid_number')).toBe(0);
    expect(share('no_answer')).toBeGreaterThan(0.55);
    expect(share('answered')).toBeGreaterThan(0.3);
    const only = shareOf(likelyCalls(some(9, 'invalid_number'), 9, random()), 'busy');
    expect(only('invalid_number')).toBe(1);
  });
});

describe('a queue', () => {
  it('gives what is due first, and of what is due together what came first', () => {
    const queue = new Queue<{ dueAt: number; n: number }>();
    const draw = random();
    const all = Array.from({ length: 200 }, (_, n) => ({ dueAt: Math.floor(draw() * 20), n }));
    for (const each of all) queue.add(each);
    const taken = all.map(() => [queue.firstAt, queue.first, queue.take()]);
    const sorted = all.toSorted((a, b) => a.dueAt - b.dueAt);
    expect(taken).toEqual(sorted.map((each) => [each.dueAt, each, each]));
    expect([queue.firstAt, queue.first]).toEqual([Infinity, undefined]);
  });
});

function random() {
  return seededRandom('likely');
}

function some(count: number, result: LeadResult) {
  return Array.from({ length: count }, () => aCall({ result }));
}

function shareOf(draw: ReturnType<typeof likelyCalls>, before: LeadResult | null) {
  const drawn = Array.from({ length: 2_000 }, () => draw(before).result);
  return (result: LeadResult) => drawn.filter((one) => one === result).length / drawn.length;
}
