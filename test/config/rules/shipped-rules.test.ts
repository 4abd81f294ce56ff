import { describe, expect, it } from 'vitest';
import { loadRule, ruleNames } from '../../../src/config/rules/load-rule.ts';
import { ruleWarnings } from '../../../src/config/rules/rule-file.ts';
import { DAY_MS } from '../../../src/domain/time-units.ts';

const of = (name: string) => loadRule(name, undefined);

describe('the rules that come with callsheet', () => {
  it('are these', () => {
    const names =
      'always au-telemarketing be ca conservative de es eu fr in it jp local nl pl pt sg uk us-debt us-federal us-states';
    expect(ruleNames()).toEqual(names.split(' '));
  });

  it.each(ruleNames())(
    '%s has for every figure a grade, a day of its check and a source, none of a vendor, a law firm or the trade',
    (name) => {
      const { figures, shipped, about, rule } = of(name);
      expect({ shipped, name: rule.name }).toEqual({ shipped: true, name });
      expect(about).not.toBe('');
      expect(figures.length > 0 || ['always', 'local'].includes(name)).toBe(true);
      for (const { checked, source, value, grade } of figures) {
        expect(checked).toMatch(/^2026-11-2\d$/);
        expect(value).not.toBe('');
        expect(grade).not.toBe('T');
        expect(source).not.toMatch(
          /no source given|jdsupra|natlawreview|mondaq|manatt|tcpaworld|cms\.law|audact|dropcowboy|clickpoint|dreamhosters/,
        );
      }
    },
  );

  it.each([
    ['conservative', 'J', 'hours caps'],
    ['de', 'J', 'hours'],
    ['uk', 'J', 'hours'],
    ['in', 'L', 'hours duties'],
    ['ca', 'L', 'hours lists consent duties'],
    ['nl', 'L', 'consent'],
    ['us-federal', 'S', 'hours lists consent duties'],
    ['it', 'L', 'hours'],
    ['es', 'S', 'hours'],
    ['es', 'L', 'consent'],
    ['fr', 'S', 'hours caps afterRefusal consent'],
    ['us-debt', 'S', 'hours caps afterConversation'],
    ['us-states', 'S', 'hours', 'CA FL IL LA MA ME MS NE NM RI SC SD UT WA'],
    ['us-states', 'L', 'hours', 'CT KY MD MN NV OK OR PA TX'],
    ['us-states', 'J', 'hours', 'AL IN MI NY WY DC'],
  ])('%s claims grade %s for %s %s', (name, grade, keys, states = '') => {
    for (const key of keys.split(' ')) {
      const places = states === '' ? [key] : states.split(' ').map((state) => `US-${state} ${key}`);
      for (const place of places) {
        const grades = of(name)
          .figures.filter(({ where }) => where === place)
          .map((one) => one.grade);
        expect([place, ...new Set(grades)]).toEqual([place, grade]);
      }
    }
  });

  /** Hours by the law: see law-boundaries.test.ts. */
  it('have the caps and ages of the law', () => {
    expect(of('us-federal').figures[0]).toMatchObject({ value: 'Mon-Sun 08:00-21:00' });
    for (const state of ['FL', 'OK', 'MD', 'OR'])
      expect(of('us-states').rule.regions[`US-${state}`]?.caps).toEqual([
        { calls: 3, perMs: DAY_MS },
      ]);
    expect(of('conservative').rule.caps).toEqual([
      { calls: 3, perMs: DAY_MS },
      { calls: 7, perMs: 7 * DAY_MS },
    ]);
    expect(of('us-debt').rule).toMatchObject({
      caps: [{ calls: 7, perMs: 7 * DAY_MS }],
      afterConversationMs: 7 * DAY_MS,
    });
    expect(of('fr').rule).toMatchObject({
      caps: [{ calls: 4, perMs: 30 * DAY_MS }],
      afterRefusalMs: 60 * DAY_MS,
    });
    const ages = ['us-federal', 'us-states', 'ca', 'uk', 'au-telemarketing', 'conservative'];
    expect(ages.map((name) => (of(name).listAge?.ms ?? 0) / DAY_MS)).toEqual([
      31, 31, 31, 28, 30, 0,
    ]);
    expect(ruleNames().filter((name) => of(name).consentRequired)).toEqual(
      'be ca de es eu fr it nl pl pt uk us-federal us-states'.split(' '),
    );
  });

  it('us-states has every state, and for people without a known one what all states allow', () => {
    const { regions } = of('us-states').rule;
    expect(Object.keys(regions)).toHaveLength(52);
    const unknown = regions['US']?.hours;
    for (const [region, { hours, caps }] of Object.entries(regions)) {
      for (const day of ['mon', 'sat', 'sun'] as const)
        for (const [from, to] of unknown?.week[day] ?? [])
          expect([region, hours?.week[day].some(([a, b]) => a <= from && to <= b)]).toEqual([
            region,
            true,
          ]);
      for (const cap of caps) expect(regions['US']?.caps).toContainEqual(cap);
    }
    expect(unknown?.holidays).toEqual([]);
  });

  it('say which of their figures are weak, and when the holidays end', () => {
    expect(ruleWarnings([of('us-federal')])).toEqual([]);
    expect(ruleWarnings([of('uk')]).join()).toContain('Rules uk: 1 figure of 4 is weak (hours)');
    expect(ruleWarnings([of('fr'), of('ca')])).toEqual([
      'Public holidays are known from 2026 to 2028; outside these years fr allows no call, until a newer callsheet knows them.',
    ]);
    expect(ruleWarnings([of('us-states')]).join()).toContain(
      'outside these years us-states allows',
    );
  });
});
