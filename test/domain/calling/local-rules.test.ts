import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composePolicy } from '../../../src/config/rules/compose-policy.ts';
import { allParts, loadRule, ruleNames } from '../../../src/config/rules/load-rule.ts';
import { callingHours } from '../../../src/domain/calling/calling-hours.ts';
import { HOLIDAY_REGIONS } from '../../../src/domain/calling/holidays.ts';
import { limitsAt } from '../../../src/domain/calling/limits.ts';
import type { CallingPolicy } from '../../../src/domain/calling/policy.ts';
import { placeOf } from '../../../src/domain/calling/zone-key.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';
import { examples } from '../../helpers/properties.ts';

const policyOf = (...names: string[]): CallingPolicy => {
  const files = allParts(names.map((name) => loadRule(name, undefined)));
  const policy = composePolicy(files, { timezone: 'UTC' }, []);
  if (policy === undefined) throw new Error(`${names.join()} limits nobody`);
  return policy;
};

const local = policyOf('local');
const hoursOf = (policy: CallingPolicy) => callingHours(policy, zoneOffsets([]));
const localHours = hoursOf(local);
const conservative = policyOf('conservative');
/** Each shipped rule that `local` has for some countries. */
const own = (loadRule('local', undefined).parts?.byCountry ?? []).map((name) => {
  const file = loadRule(name, undefined);
  return {
    name,
    countries: file.appliesTo,
    policy: composePolicy([file], { timezone: 'UTC' }, []),
  };
});
const strictHours = new Map(
  [...own, { name: 'conservative', policy: conservative }].map(
    ({ name, policy }) => [name, policy && hoursOf(policy)] as const,
  ),
);

const ZONES = [
  'America/New_York',
  'Europe/Paris',
  'Asia/Tokyo',
  'America/Los_Angeles',
  'Asia/Muscat',
];
const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2028, 11, 1);

/** People of one or two regions in one or two zones, and a minute of the years whose holidays are known. */
const somebody = fc.record({
  regions: fc.uniqueArray(fc.constantFrom(...HOLIDAY_REGIONS, 'OM', 'NP'), {
    minLength: 1,
    maxLength: 2,
  }),
  zones: fc.uniqueArray(fc.constantFrom(...ZONES), { minLength: 1, maxLength: 2 }),
  at: fc.integer({ min: FROM / 60_000, max: UNTIL / 60_000 }).map((minute) => minute * 60_000),
});

describe('local', () => {
  it("is never less strict than conservative, nor than the rule of the person's own place", () => {
    fc.assert(
      fc.property(somebody, ({ regions, zones, at }) => {
        const key = `${zones.toSorted().join('|')};${regions.toSorted().join(',')}`;
        const countries = regions.map((region) => region.slice(0, 2));
        const rules = own.filter((rule) => countries.some((one) => rule.countries.includes(one)));
        const isOpen = localHours(key, at).open;
        const caps = limitsAt(local, placeOf(key)).flatMap(({ limits }) => limits.caps);
        for (const { name, policy } of [{ name: 'conservative', policy: conservative }, ...rules]) {
          if (policy === undefined) continue;
          const hours = strictHours.get(name)?.(key, at);
          expect([name, isOpen && hours?.open === false]).toEqual([name, false]);
          for (const { limits } of limitsAt(policy, placeOf(key)))
            expect(caps).toEqual(expect.arrayContaining([...limits.caps]));
        }
      }),
      { numRuns: examples(400) },
    );
  });

  it('has every shipped rule that is made for a country, and no country twice but in eu', () => {
    const made = ruleNames().filter((name) => loadRule(name, undefined).appliesTo.length > 0);
    const names = own.map(({ name }) => name);
    expect(made.filter((name) => !names.includes(name))).toEqual(['us-debt', 'us-federal']);
    const countries = own.flatMap((rule) => (rule.name === 'eu' ? [] : rule.countries));
    expect(new Set(countries).size).toBe(countries.length);
  });

  it('gives way to a rule that is named itself: it holds for everybody then', () => {
    const rule = policyOf('local', 'fr').rules.filter(({ name }) => name === 'fr');
    expect(rule).toHaveLength(1);
    expect(rule[0]).not.toHaveProperty('only');
  });
});
