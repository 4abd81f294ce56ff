import { describe, expect, it } from 'vitest';
import {
  datedFile,
  isDated,
  nightsWithoutResults,
  pageBeside,
  unknownPlaceholder,
} from '../../../src/domain/nights/night-end.ts';

describe('the name of a results file', () => {
  it('has the date of the night wherever {date} is', () => {
    expect(isDated('out/spring-{date}.csv')).toBe(true);
    expect(isDated('out/spring.csv')).toBe(false);
    expect(isDated(null)).toBe(false);
    expect(datedFile('{date}/spring-{date}.csv', '2026-01-05')).toBe(
      '2026-01-05/spring-2026-01-05.csv',
    );
  });

  it('is that of the report page with another ending', () => {
    expect(pageBeside('out/spring-2026-01-05.csv')).toBe('out/spring-2026-01-05.html');
    expect(pageBeside('out/spring.v2')).toBe('out/spring.v2.html');
  });

  it.each([
    ['a-{day}.csv', '{day}'],
    ['{date}-{Date}.csv', '{Date}'],
    ['a-{date}.csv', undefined],
    ['a-{}.csv', '{}'],
    ['a{b/c}.csv', undefined],
  ])('%s has the unknown placeholder %s', (file, unknown) => {
    expect(unknownPlaceholder(file)).toBe(unknown);
  });
});

describe('the nights without results', () => {
  const night = (date: string, resultsAt: number | null = null) => ({ night: date, resultsAt });
  const [MON, TUE, WED] = ['2026-01-05', '2026-01-06', '2026-01-07'];

  it('are those after the first one that has a file, also where a later one has one', () => {
    const failed = [night(''), night(MON, 1), night(TUE), night(WED, 3)];
    expect(nightsWithoutResults(failed, '2026-01-08')).toEqual([night(TUE)]);
  });

  it('are those after the last one that has a file', () => {
    const nights = [night(''), night(MON, 1), night(TUE), night(WED)];
    expect(nightsWithoutResults(nights, '2026-01-08')).toEqual([night(TUE), night(WED)]);
    expect(nightsWithoutResults(nights, WED)).toEqual([night(TUE)]);
  });

  it('are the last one alone where none has a file yet', () => {
    expect(nightsWithoutResults([night(''), night(MON), night(TUE)], WED)).toEqual([night(TUE)]);
    expect(nightsWithoutResults([night('')], WED)).toEqual([]);
  });
});
