import { expect, it } from 'vitest';
import {
  callbackOf,
  LONGEST_CALLBACK_MS,
  type CallbackPlace,
} from '../../../src/domain/calling/retry.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';

const NEW_YORK = 'America/New_York';
const CHICAGO = 'America/Chicago';
const CALL = { beganAt: 1_000, endedAt: 61_000 };
const aPlace = (overrides: Partial<CallbackPlace> = {}): CallbackPlace => ({
  ...{ ...CALL, zones: [], momentsOf: () => [], closedAt: () => null },
  ...overrides,
});

it('takes a moment from the beginning of the call to 30 days after its end', () => {
  const at = (moment: number) => callbackOf({ said: 'then', at: moment }, aPlace());

  const why = 'asked to be called again at "then"';
  expect(at(1_000)).toEqual({ at: 1_000, why });
  expect(at(999)).toEqual({ refused: `${why}, which was before the call` });
  expect(at(61_000 + LONGEST_CALLBACK_MS)).toEqual({ at: 61_000 + LONGEST_CALLBACK_MS, why });
  expect(at(61_001 + LONGEST_CALLBACK_MS)).toHaveProperty('refused');
});

it('reads a time of the person’s own clock in their one zone, as the later of two moments', () => {
  const wall = { said: 'half past one', wall: '2026-11-01T01:30' };
  const momentsOf = (time: string, zone: string) => {
    expect([time, zone]).toEqual(['2026-11-01T01:30', NEW_YORK]);
    return [70_000, 80_000];
  };

  expect(callbackOf(wall, aPlace({ zones: [NEW_YORK], momentsOf }))).toMatchObject({ at: 80_000 });
});

it.each([
  ['in no known zone', [], 'not known'],
  ['that does not exist', [NEW_YORK], 'no time that exists'],
  ['that does not exist in one of two zones', [NEW_YORK, CHICAGO], 'no time that exists'],
])('refuses a time of a clock %s', (_, zones, why) => {
  const momentsOf = (__: string, zone: string) => (zone === CHICAGO ? [2_000] : []);
  const found = callbackOf({ said: 'x', wall: '2026-02-30T10:00' }, aPlace({ zones, momentsOf }));

  expect(found).toEqual({ refused: expect.stringContaining(why) as string });
});

it('refuses words that are no time', () => {
  expect(callbackOf({ said: 'soon' }, aPlace({ zones: [NEW_YORK] }))).toEqual({
    refused: 'asked to be called again at "soon", which is no time that can be read',
  });
});

/** Asked for a time that it is in New York after two hours, and in Chicago after three. */
it.each([
  ['when it is that time in both', Infinity, 3 * HOUR_MS],
  ['as late as hours allow', 2 * HOUR_MS + 50 * MINUTE_MS, 2 * HOUR_MS + 45 * MINUTE_MS],
  ['when it is that time in one, if hours close then', 2 * HOUR_MS + 1, 2 * HOUR_MS],
  ['at the next opening, if hours are closed by then', HOUR_MS, 3 * HOUR_MS],
])('in two zones people are called back %s', (_, closesAt, expected) => {
  const momentsOf = (__: string, zone: string) => [(zone === NEW_YORK ? 2 : 3) * HOUR_MS];
  const hold = { until: null, by: 'hours', why: 'it is late' };
  const closedAt = (at: number) => (at < closesAt ? null : hold);
  const place = aPlace({ zones: [NEW_YORK, CHICAGO], momentsOf, closedAt });

  const asked = 'asked to be called again at "x"';
  const why = closesAt === Infinity ? asked : `${asked}, held by hours: it is late`;
  expect(callbackOf({ said: 'x', wall: '2026-01-05T10:00' }, place)).toEqual({ at: expected, why });
});
