import { expect, it } from 'vitest';
import { callbackOf, LONGEST_CALLBACK_MS } from '../../../src/domain/calling/callback.ts';

const call = { beganAt: 1_000, endedAt: 61_000 };
const never = () => [];

it('takes a moment from the beginning of the call to 30 days after its end', () => {
  const at = (moment: number) => callbackOf({ said: 'then', at: moment }, [], call, never);

  expect(at(1_000)).toEqual({ at: 1_000 });
  expect(at(999)).toEqual({
    refused: 'asked to be called again at "then", which was before the call',
  });
  expect(at(61_000 + LONGEST_CALLBACK_MS)).toEqual({ at: 61_000 + LONGEST_CALLBACK_MS });
  expect(at(61_001 + LONGEST_CALLBACK_MS)).toHaveProperty('refused');
});

it('reads a time of the person’s own clock in their one zone, as the later of two moments', () => {
  const wall = { said: 'half past one', wall: '2026-11-01T01:30' };
  const moments = (time: string, zone: string) => {
    expect([time, zone]).toEqual(['2026-11-01T01:30', 'America/New_York']);
    return [70_000, 80_000];
  };

  expect(callbackOf(wall, ['America/New_York'], call, moments)).toEqual({ at: 80_000 });
});

it.each([
  ['in no known zone', [], 'not known'],
  ['in one of several zones', ['America/New_York', 'America/Chicago'], 'not certain'],
  ['that does not exist', ['America/New_York'], 'no time that exists'],
])('refuses a time of a clock %s', (_, zones, why) => {
  const found = callbackOf({ said: 'x', wall: '2026-02-30T10:00' }, zones, call, never);

  expect(found).toEqual({ refused: expect.stringContaining(why) as string });
});

it('refuses words that are no time', () => {
  expect(callbackOf({ said: 'soon' }, ['America/New_York'], call, never)).toEqual({
    refused: 'asked to be called again at "soon", which is no time that can be read',
  });
});
