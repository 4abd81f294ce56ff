import { describe, expect, it } from 'vitest';
import { composePolicy } from '../../../src/config/rules/compose-policy.ts';
import { loadRule } from '../../../src/config/rules/load-rule.ts';

const rules = (...names: string[]) => names.map((name) => loadRule(name, undefined));
const own = { timezone: 'America/New_York' };

describe('the policy of a campaign', () => {
  it('is none where nothing limits its calls', () => {
    expect(composePolicy(rules('always'), own, [])).toBeUndefined();
    expect(composePolicy([], own, [])).toBeUndefined();
  });

  it('has every rule as it is; always beside another one loosens nothing', () => {
    const [conservative] = rules('conservative');
    const policy = composePolicy(rules('always', 'conservative'), own, []);
    expect(policy?.rules).toEqual([conservative?.rule]);
  });

  it("has the operator's hours and holidays, also without rules", () => {
    const hours = { from: '18:00', to: '02:30', days: ['sat', 'mon'] as const };
    const holidays = ['2026-12-31', '2026-12-24', '2026-12-31'];
    const policy = composePolicy(
      rules('always'),
      { ...own, hours: { ...hours, days: [...hours.days] }, holidays },
      [],
    );
    expect(policy).toEqual({
      rules: [],
      hours: { days: ['mon', 'sat'], from: 1_080, to: 150, timezone: 'America/New_York' },
      holidays: ['2026-12-24', '2026-12-31'],
      unknownZones: 'skip',
      zoneOverrides: [],
      marginMs: 120_000,
    });
  });

  it('ends hours that end at midnight with the day they began on', () => {
    const until = (to: string) =>
      composePolicy([], { ...own, hours: { from: '18:00', to } }, [])?.hours;
    expect(until('00:00')).toMatchObject({ from: 1_080, to: 1_440 });
    expect(until('24:00')).toMatchObject({ to: 1_440 });
    expect(until('21:00')?.days).toHaveLength(7);
  });

  it('begins no call later than ringing and a minute before hours close', () => {
    const marginOf = (ringTimeMs: number) =>
      composePolicy(rules('uk'), { ...own, ringTimeMs }, [])?.marginMs;
    expect([marginOf(0), marginOf(30_000)]).toEqual([60_000, 90_000]);
  });

  it('assumes for people without a known zone what the operator says', () => {
    const assumed = (unknownZones?: string) =>
      composePolicy(rules('uk'), { ...own, ...(unknownZones && { unknownZones }) }, [])
        ?.unknownZones;
    expect(assumed()).toBe('skip');
    expect(assumed('skip')).toBe('skip');
    expect(assumed('Europe/London')).toEqual(['Europe/London']);
    expect(assumed('us48')).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Phoenix',
      'America/Los_Angeles',
    ]);
  });
});
