import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../helpers/files/temp.ts';
import { judge, type Area, type Verdict } from './nights/judge.ts';
import {
  areas,
  callOverTheWeekend,
  claimOverTheWeekend,
  FRIDAY,
  type Weekend,
} from './nights/weekend.ts';

/** `npm run three-nights` calls 100,000 people this way, and prints what was called when. */
const LEADS = Number(process.env['THREE_NIGHTS'] ?? 2_000);
/** By the whole runner, which takes a second for ten calls: its clock stands still while it thinks. */
const BY_RUNNER = 40;
const DAY_MS = 86_400_000;
const CAPPED = ['US-FL', 'US-OK', 'US-MD', 'US-OR'];

const byCode = areas();
const areaOf = (phone: string): Area => byCode.get(phone.slice(2, 5)) ?? { zones: [], states: [] };

describe('a campaign under us-states that runs over a weekend', () => {
  it('rings no phone outside the hours of its states, and none more often than their caps', async () => {
    const weekend = await claimOverTheWeekend(join(tempFolder(), 'callsheet.db'), LEADS);
    const verdict = judge(weekend.rings, areaOf);
    if (process.env['THREE_NIGHTS'] !== undefined) print(weekend, verdict);
    expect(verdict.violations).toEqual([]);
    // There was work left for three nights, and everybody was called in the end.
    expect(weekend.rings.at(-1)?.at ?? 0).toBeGreaterThan(FRIDAY + 2.5 * DAY_MS);
    expect(new Set(weekend.rings.map(({ phone }) => phone)).size).toBe(LEADS);
    expect(weekend.waiting).toBe(0);
    // The caps decided: without them people would be called more often than three times a day.
    const most = [...verdict.mostInADay];
    for (const [state, calls] of most) if (CAPPED.includes(state)) expect(calls).toBe(3);
    expect(Math.max(...most.map(([, calls]) => calls))).toBeGreaterThan(3);
  }, 1_800_000);

  it('is the same by the whole runner, run after run', async () => {
    const weekend = await callOverTheWeekend(join(tempFolder(), 'callsheet.db'), BY_RUNNER);
    expect(judge(weekend.rings, areaOf).violations).toEqual([]);
    expect(new Set(weekend.rings.map(({ phone }) => phone)).size).toBe(BY_RUNNER);
    expect(weekend.waiting).toBe(0);
  }, 600_000);

  it.each([
    ['before the hours', '2026-01-09T13:59:00Z', '+12125550100'],
    ['after the hours of Florida', '2026-01-10T01:00:00Z', '+13055550100'],
    ['on a Sunday that is closed', '2026-01-11T18:00:00Z', '+12055550100'],
    ['on a holiday that is closed', '2026-01-19T18:00:00Z', '+14015550100'],
  ])('is judged by what finds a call %s', (_, at, phone) => {
    expect(judge([{ at: Date.parse(at), phone }], areaOf).violations).not.toEqual([]);
  });

  it('is judged by what finds a fourth call within 24 hours', () => {
    const at = (hour: number) => Date.parse('2026-01-09T15:00:00Z') + hour * 3_600_000;
    const rings = [0, 1, 2, 3].map((hour) => ({ at: at(hour), phone: '+13055550100' }));
    expect(judge(rings.slice(1), areaOf).violations).toEqual([]);
    expect(judge(rings, areaOf).violations).toHaveLength(1);
  });
});

function print(weekend: Weekend, { violations, perHour, firstAndLast }: Verdict): void {
  const called = new Set(weekend.rings.map(({ phone }) => phone)).size;
  const lines = [
    ...[...perHour].sort().map(([hour, calls]) => `${hour}:00  ${calls} calls`),
    ...[...firstAndLast].sort().map(([day, { first, last }]) => `${day}  ${first} to ${last}`),
    `${called} of ${weekend.leads} people called in ${weekend.rings.length} calls and ${weekend.runs.length} runs`,
    `violations: ${violations.length}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
