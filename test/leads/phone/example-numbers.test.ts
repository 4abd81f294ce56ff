import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';

/** The example numbers of Google's libphonenumber 9.0 (resources/PhoneNumberMetadata.xml, Apache-2.0). They are read, never called. */
const EXAMPLES = readFileSync(`${import.meta.dirname}/expected/example-numbers.csv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',') as [region: string, type: string, number: string]);

/** A filler that Austria lists, and two that Benin has given up. */
const OF_NOBODY = new Set(['+431234567890', '+22981123456', '+22985751234']);

test('the examples are those of all countries and types', () => {
  expect(EXAMPLES).toHaveLength(1_144);
  expect(new Set(EXAMPLES.map(([region]) => region)).size).toBeGreaterThan(240);
});

test.each(['mobile', 'fixedLine', 'voip'])(
  'a number of type %s is taken in every country',
  (wanted) => {
    const examples = EXAMPLES.filter(
      ([region, type, number]) => type === wanted && region !== '001' && !OF_NOBODY.has(number),
    );
    const refused = examples.filter(([, , number]) => {
      const parsed = parsePhone(number, null);
      return !parsed.ok || parsed.phone !== number;
    });
    expect(refused).toEqual([]);
    expect(examples.length).toBeGreaterThan(90);
  },
);

test.each(['premiumRate', 'sharedCost', 'tollFree', 'personalNumber', 'pager', 'uan', 'voicemail'])(
  'a number of type %s is refused in every country',
  (wanted) => {
    const examples = EXAMPLES.filter(([, type]) => type === wanted);
    expect(examples.filter(([, , number]) => parsePhone(number, null).ok)).toEqual([]);
    expect(examples.length).toBeGreaterThan(15);
  },
);

test('a number of no country (satellite, global) is refused, whatever its type', () => {
  const examples = EXAMPLES.filter(([region]) => region === '001');
  expect(examples.filter(([, , number]) => parsePhone(number, null).ok)).toEqual([]);
  expect(examples.length).toBeGreaterThan(5);
});

test('toll-free numbers are taken where the operator wants them, and nothing else with them', () => {
  const policy = { unassigned: 'accept', tollFree: 'accept' } as const;
  const taken = (wanted: string) =>
    EXAMPLES.filter(
      ([region, type, number]) =>
        type === wanted && region !== '001' && parsePhone(number, null, policy).ok,
    ).length;
  expect(taken('tollFree')).toBeGreaterThan(180);
  expect([taken('premiumRate'), taken('sharedCost'), taken('pager')]).toEqual([0, 0, 0]);
});
