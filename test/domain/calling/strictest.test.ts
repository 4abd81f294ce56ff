import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strictestOf, type NamedLimits } from '../../../src/domain/calling/limits.ts';
import {
  WEEKDAYS,
  type CallingLimits,
  type DayWindows,
  type WeekHours,
} from '../../../src/domain/calling/policy.ts';

const NOTHING: CallingLimits = {
  hours: null,
  caps: [],
  afterConversationMs: null,
  afterRefusalMs: null,
};
const DAY_MS = 86_400_000;

describe('what several rules come to', () => {
  it('is open exactly when all of them are, minute by minute', () => {
    fc.assert(
      fc.property(fc.array(limits, { minLength: 1, maxLength: 4 }), (all) => {
        const { week, holidays } = strictestOf(all.map(named));
        const hours = all.flatMap((one) => one.hours ?? []);
        if (week === null) {
          expect(hours).toEqual([]);
          return;
        }
        const closing = hours.flatMap((one) => (one.holidays === null ? [] : [one.holidays]));
        const wrong: string[] = [];
        for (let minute = 0; minute < 1_440; minute += 7) {
          for (const day of WEEKDAYS) {
            const isOpenForAll = hours.every((one) => isOpen(one.week[day], minute));
            if (isOpen(week[day].value, minute) !== isOpenForAll) wrong.push(`${day} ${minute}`);
          }
          if (holidays === null) continue;
          const isWorkingHoliday = closing.every((windows) => isOpen(windows, minute));
          if (isOpen(holidays.value, minute) !== isWorkingHoliday) wrong.push(`holidays ${minute}`);
        }
        expect(wrong).toEqual([]);
        expect(holidays === null).toBe(closing.length === 0);
      }),
      { numRuns: 60 },
    );
  });

  it('has for every cap one that allows no more calls in no shorter a period, and silences as long', () => {
    fc.assert(
      fc.property(fc.array(limits, { minLength: 1, maxLength: 4 }), (all) => {
        const strictest = strictestOf(all.map(named));
        for (const one of all) {
          for (const cap of one.caps)
            expect(
              strictest.caps.some(
                ({ value }) => value.calls <= cap.calls && value.perMs >= cap.perMs,
              ),
            ).toBe(true);
          expect(strictest.afterConversationMs?.value ?? 0).toBeGreaterThanOrEqual(
            one.afterConversationMs ?? 0,
          );
          expect(strictest.afterRefusalMs?.value ?? 0).toBeGreaterThanOrEqual(
            one.afterRefusalMs ?? 0,
          );
        }
        const given = all.flatMap(({ caps }) => caps);
        for (const { value } of strictest.caps) expect(given).toContainEqual(value);
      }),
    );
  });

  it('names the rules that decide', () => {
    const wide = {
      ...NOTHING,
      hours: everyDay([[480, 1_260]]),
      caps: [{ calls: 7, perMs: 7 * DAY_MS }],
    };
    const late = { ...NOTHING, hours: everyDay([[540, 1_320]]), afterRefusalMs: DAY_MS };
    const narrow = {
      ...NOTHING,
      hours: everyDay([[600, 1_080]]),
      caps: [{ calls: 3, perMs: DAY_MS }],
    };
    const of = (...all: [string, CallingLimits][]) =>
      strictestOf(all.map(([by, limits]) => ({ by, limits })));

    const both = of(['wide', wide], ['late', late]);
    expect(both.week?.mon).toEqual({ value: [[540, 1_260]], by: ['wide', 'late'] });
    expect(both.afterRefusalMs).toEqual({ value: DAY_MS, by: ['late'] });
    expect(both.afterConversationMs).toBeNull();

    const all = of(['wide', wide], ['narrow', narrow], ['late', late], ['as narrow', narrow]);
    expect(all.week?.sun.by).toEqual(['narrow', 'as narrow']);
    expect(all.caps).toEqual([
      { value: { calls: 3, perMs: DAY_MS }, by: ['narrow', 'as narrow'] },
      { value: { calls: 7, perMs: 7 * DAY_MS }, by: ['wide'] },
    ]);
  });

  it('names all rules that decide together, equal ones too', () => {
    const early = { ...NOTHING, hours: everyDay([[480, 1_080]]) };
    const late = { ...NOTHING, hours: everyDay([[600, 1_260]]) };
    const wide = { ...NOTHING, hours: everyDay([[0, 1_440]]) };
    const { week } = strictestOf([early, late, wide, early].map(named));
    expect(week?.mon).toEqual({ value: [[600, 1_080]], by: ['rule 0', 'rule 1', 'rule 3'] });
  });

  it('leaves out a cap that another one makes superfluous', () => {
    const few = { ...NOTHING, caps: [{ calls: 2, perMs: 7 * DAY_MS }] };
    const many = { ...NOTHING, caps: [{ calls: 3, perMs: DAY_MS }] };
    expect(strictestOf([few, many].map(named)).caps.map(({ by }) => by)).toEqual([['rule 0']]);
  });
});

const windows: fc.Arbitrary<DayWindows> = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_440 }), { maxLength: 4 })
  .map((minutes) => minutes.toSorted((a, b) => a - b))
  .map((sorted) =>
    sorted.flatMap((from, index): [number, number][] => {
      const to = sorted[index + 1];
      return index % 2 === 0 && to !== undefined ? [[from, to]] : [];
    }),
  );
const week = fc
  .tuple(windows, windows, windows, windows, windows, windows, windows, fc.option(windows))
  .map(([mon, tue, wed, thu, fri, sat, sun, holidays]): WeekHours => {
    return { week: { mon, tue, wed, thu, fri, sat, sun }, holidays };
  });
const period = fc.integer({ min: 1, max: 30 }).map((days) => days * DAY_MS);
const limits: fc.Arbitrary<CallingLimits> = fc.record({
  hours: fc.option(week),
  caps: fc.array(fc.record({ calls: fc.integer({ min: 1, max: 9 }), perMs: period }), {
    maxLength: 3,
  }),
  afterConversationMs: fc.option(period),
  afterRefusalMs: fc.option(period),
});

function named(limits: CallingLimits, index: number): NamedLimits {
  return { by: `rule ${index}`, limits };
}

function isOpen(day: DayWindows, minute: number): boolean {
  return day.some(([from, to]) => minute >= from && minute < to);
}

function everyDay(day: DayWindows): WeekHours {
  return {
    week: { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day },
    holidays: null,
  };
}
