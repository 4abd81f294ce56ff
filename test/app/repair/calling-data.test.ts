import { expect, test } from 'vitest';
import { holidayData, zoneData } from '../../../src/app/repair/doctor.ts';
import { HOLIDAYS } from '../../../src/domain/calling/holidays.ts';

const OVERRIDE = {
  zone: 'America/Vancouver',
  from: Date.parse('2026-03-09T07:00:00Z'),
  offsetMs: -7 * 3_600_000,
  fixedIn: '2026b',
};

const CORRECTIONS = {
  since: '2024b',
  reaches: '2026f',
  due: Date.parse('2027-02-15T00:00:00Z'),
  overrides: [
    OVERRIDE,
    { ...OVERRIDE, zone: 'America/Havana', until: OVERRIDE.from, fixedIn: '2026f' },
  ],
};

test.each([
  ['2025c', 'data is 2025c, the newest that callsheet knows 2026f; these differ and are corrected: America/Vancouver from 2026-03-09 (2026b), America/Havana from 2026-03-09 to 2026-03-09 (2026f) (campaigns'],
  ['2026b', 'the newest that callsheet knows 2026f; these differ and are corrected: America/Havana'],
  ['2026f', 'the newest that callsheet knows 2026f; no zone differs (campaigns'],
  ['2026g', 'data is 2026g, newer than 2026f, the newest that callsheet knows, so no zone is corrected.'],
])('with data %s of Node, what differs from the newest version that is known is named', (version, words) => {
  const found = zoneData(CORRECTIONS.due - 1, version, CORRECTIONS);
  expect(found.detail).toContain(words);
  expect(found.ok).toBe(true);
  expect(found.detail).not.toContain('Next:');
}); // prettier-ignore

test('Data of Node that is older than the corrections reach back is not in order', () => {
  const found = zoneData(CORRECTIONS.due - 1, '2024a', CORRECTIONS);
  expect(found.ok).toBe(false);
  expect(found.detail).toContain('bring only 2024b and later up to 2026f');
  expect(found.detail).toContain('Next: Use a newer Node');
});

test('From the day on which a newer version is due, it says so', () => {
  for (const version of ['2025c', '2026f', '2026g'])
    expect(zoneData(CORRECTIONS.due, version, CORRECTIONS).detail).toMatch(
      / Next: Look for a newer callsheet: .* due since 2027-02-15\.$/,
    );
});

test('Holidays are warned of in their last known year, and are a failure after it', () => {
  const inYear = (year: number) => holidayData(Date.parse(`${year}-06-01T00:00:00Z`));
  const { through } = HOLIDAYS;
  expect(inYear(through - 1)).toMatchObject({ ok: true });
  expect(inYear(through - 1).detail).not.toContain('Next:');
  expect(inYear(through)).toMatchObject({ ok: true });
  expect(inYear(through).detail).toContain(`no call from ${through + 1}-01-01 on`);
  expect(inYear(through + 1)).toMatchObject({ ok: false });
  expect(inYear(through + 1).detail).toContain('allow no call now');
});
