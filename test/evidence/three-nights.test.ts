import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../helpers/files/temp.ts';
import { judge, mostAtOnce, type Area, type Ring, type Verdict } from './nights/judge.ts';
import { areas, callOverTheWeekend, FRIDAY, TALK_MS, type Weekend } from './nights/weekend.ts';

/** `npm run three-nights` calls 100,000 people, and prints what was called when. */
const LEADS = Number(process.env['THREE_NIGHTS'] ?? 250);
const DAY_MS = 86_400_000;
const CAPPED = ['US-FL', 'US-OK', 'US-MD', 'US-OR'];

const byCode = areas();
const areaOf = (phone: string): Area => byCode.get(phone.slice(2, 5)) ?? { zones: [], states: [] };

describe('a campaign under us-states that runs over a weekend', () => {
  it('rings no phone outside the hours of its states, and none more often than their caps', async () => {
    const weekend = await callOverTheWeekend(join(tempFolder(), 'callsheet.db'), LEADS);
    const verdict = judge(weekend.rings, areaOf);
    if (process.env['THREE_NIGHTS'] !== undefined) print(weekend, verdict);
    expect(verdict.violations).toEqual([]);
    // Everybody was called in the end, and after the third night there still was somebody to call.
    expect(weekend.rings.at(-1)?.at ?? 0).toBeGreaterThan(FRIDAY + 2.5 * DAY_MS);
    expect(new Set(weekend.rings.map(({ phone }) => phone)).size).toBe(LEADS);
    expect(weekend.waiting).toBe(0);
    // All lines were in use at times, and never more.
    expect(mostAtOnce(weekend.rings, TALK_MS)).toBe(weekend.concurrency);
    // The caps decided: without them people would be called more often than three times a day.
    const capped = CAPPED.map((state) => verdict.mostInADay.get(state) ?? 0);
    expect(Math.max(...capped)).toBe(3);
    expect(Math.max(...verdict.mostInADay.values())).toBeGreaterThan(3);
  }, 1_800_000);

  it.each([
    ['before the hours', '2026-01-09T13:59:00Z', '+12125550100'],
    ['after the hours of Florida', '2026-01-10T01:00:00Z', '+13055550100'],
    ['on a Sunday that is closed', '2026-01-11T18:00:00Z', '+12055550100'],
    ['on a holiday that is closed', '2026-01-19T18:00:00Z', '+14015550100'],
  ])('is judged by what finds a call %s', (_, at, phone) => {
    const ring: Ring = { at: Date.parse(at), phone, result: 'busy' };
    expect(judge([ring], areaOf).violations).not.toEqual([]);
  });

  it('is judged by what finds a fourth call within 24 hours', () => {
    const rings = at([0, 1, 2, 3], '+13055550100');
    expect(judge(rings.slice(1), areaOf).violations).toEqual([]);
    expect(judge(rings, areaOf).violations).toHaveLength(1);
  });

  it.each([
    ['sooner than an hour after another one', [0, 0.99]],
    ['that is the seventh', [0, 1, 2, 3, 24, 25, 26]],
  ])('is judged by what finds a call %s', (_, hours) => {
    expect(judge(at(hours.slice(1), '+16175550100'), areaOf).violations).toEqual([]);
    expect(judge(at(hours, '+16175550100'), areaOf).violations).toHaveLength(1);
  });

  it('is judged by what finds a call to somebody who has answered, and counts calls at once', () => {
    const [first, second] = at([0, 1], '+16175550100');
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect(judge([{ ...first, result: 'answered' }, second], areaOf).violations).toHaveLength(1);
    expect(mostAtOnce([first, second], 3_600_000)).toBe(1);
    expect(mostAtOnce([first, second], 3_600_001)).toBe(2);
  });
});

/** Calls so many hours after Friday 10:00 in New York that nobody answers. */
function at(hours: readonly number[], phone: string): Ring[] {
  const start = Date.parse('2026-01-09T15:00:00Z');
  return hours.map((hour) => ({ at: start + hour * 3_600_000, phone, result: 'no_answer' }));
}

function print(weekend: Weekend, { violations, perHour, firstAndLast }: Verdict): void {
  const called = new Set(weekend.rings.map(({ phone }) => phone)).size;
  const lines = [
    ...[...perHour].sort().map(([hour, calls]) => `${hour}:00  ${calls} calls`),
    ...[...firstAndLast].sort().map(([day, { first, last }]) => `${day}  ${first} to ${last}`),
    `${called} of ${weekend.leads} people called in ${weekend.rings.length} calls and ${weekend.runs.length} runs`,
    `${mostAtOnce(weekend.rings, TALK_MS)} calls at once, allowed were ${weekend.concurrency}`,
    `violations: ${violations.length}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
