import { describe, expect, test } from 'vitest';
import { asPhone, asTime } from '../../../src/service/profile/read-fields.ts';

const AT = Date.parse('2026-01-05T15:00:00Z');

describe('a time', () => {
  test.each<[unknown, number]>([
    ['2026-01-05T15:00:00Z', AT],
    ['2026-01-05T16:00:00+01:00', AT],
    ['2026-01-05T15:00:00.123456Z', AT + 123],
    // Without a zone it is UTC, wherever this program runs.
    ['2026-01-05T15:00:00', AT],
    ['2026-01-05 15:00:00.5', AT + 500],
    ['2026-01-05', AT - 15 * 3_600_000],
    ['Mon, 05 Jan 2026 15:00:00 +0000', AT],
    ['5 Jan 2026 15:00:00 GMT', AT],
    [AT, AT],
    [AT / 1_000, AT],
    [AT / 1_000 + 0.25, AT + 250],
    [String(AT), AT],
    [` ${AT / 1_000} `, AT],
    [String(AT / 1_000 + 0.25), AT + 250],
    // Microseconds and nanoseconds.
    [AT * 1_000, AT],
    [AT * 1_000_000, AT],
    [`${AT}000000`, AT],
    [AT + 0.4, AT],
    [Date.UTC(2000, 0), Date.UTC(2000, 0)],
    [Date.UTC(2100, 0) - 1, Date.UTC(2100, 0) - 1],
  ])('%j is %d', (value, ms) => {
    expect(asTime(value)).toBe(ms);
  });

  test.each<[string, unknown]>([
    ['before 2000', Date.UTC(2000, 0) - 1],
    ['before 2000 in seconds', 946_684_799],
    ['before 2000 as text', '1999-12-31T23:59:59Z'],
    ['after 2099', Date.UTC(2100, 0)],
    ['after 2099 as text', '2100-01-01T00:00:00Z'],
    ['smaller than nanoseconds', AT * 1e9],
    ['NaN', NaN],
    ['infinite', Infinity],
    ['-0', -0],
    ['a text of 400 digits', '9'.repeat(400)],
    ['nothing like a time', 1e300],
    ['nothing like a time, as text', '1e300'],
    ['negative', -AT],
    ['zero', 0],
    ['a year', '2026'],
    ['no number', NaN],
    ['no end', Infinity],
    ['a text with a number in it', 'call 5'],
    ['a name', 'agent-2026-1'],
    ['hexadecimal', '0x6955b900'],
    ['empty', ''],
    ['blank', ' '],
    ['null', null],
    ['a flag', true],
    ['an object', { at: AT }],
    ['a list', [AT]],
  ])('%s is none', (_what, value) => {
    expect(asTime(value)).toBeUndefined();
  });
});

describe('a number', () => {
  test.each(['+12125550100', '+1 (212) 555-0100', '+1.212.555.0100', ' +1 212 5550100 '])(
    '%j is one in E.164',
    (value) => {
      expect(asPhone(value)).toBe('+12125550100');
    },
  );

  test.each<unknown>([
    '12125550100',
    '2125550100',
    '+0125550100',
    '+1212',
    'tel:+12125550100',
    '',
    12_125_550_100,
    null,
  ])('%j is none', (value) => {
    expect(asPhone(value)).toBeUndefined();
  });
});
