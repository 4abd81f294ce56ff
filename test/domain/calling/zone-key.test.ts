import { expect, test } from 'vitest';
import { hasZone, placeOf, zoneKey } from '../../../src/domain/calling/zone-key.ts';

test.each([
  [{ zones: [], regions: [] }, false],
  [{ zones: [], regions: ['US'] }, false],
  [{ zones: ['America/New_York'], regions: [] }, true],
])('a key says whether a time zone is known: %j', (place, isKnown) => {
  expect(hasZone(zoneKey(place))).toBe(isKnown);
  expect(placeOf(zoneKey(place))).toEqual(place);
});

test('no zone is known of a lead whose place is not worked out', () => {
  expect(hasZone('')).toBe(false);
});
