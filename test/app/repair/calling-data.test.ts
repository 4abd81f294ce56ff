import { expect, test } from 'vitest';
import { holidayData, zoneData } from '../../../src/app/repair/calling-data.ts';
import { HOLIDAYS } from '../../../src/domain/calling/holidays.ts';

const OVERRIDE = {
  zone: 'America/Vancouver',
  from: Date.parse('2026-03-09T07:00:00Z'),
  offsetMs: -7 * 3_600_000,
  fixedIn: '2026b',
};

test('A correction is named while the data of Node lacks it, and no longer', () => {
  expect(zoneData('2025c', [OVERRIDE]).detail).toContain(
    'data is 2025c; America/Vancouver is corrected from 2026-03-09',
  );
  expect(zoneData('2026b', [OVERRIDE]).detail).toContain('no zone needs a correction');
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
