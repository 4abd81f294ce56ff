import { describe, expect, test } from 'vitest';
import { excerpt, excerptOf } from '../../../src/service/http/exchange.ts';
import { writePath } from '../../../src/service/profile/read-fields.ts';
import { retryAfterMs } from '../../../src/service/http/body.ts';
import { causeOf } from '../../../src/service/http/http-errors.ts';

describe('an excerpt', () => {
  test('is the first 200 characters on one line', () => {
    expect(excerpt(' a\n\t b\r\n')).toBe('a b');
    expect(excerpt('x'.repeat(200))).toBe('x'.repeat(200));
    expect(excerpt('x'.repeat(201))).toBe(`${'x'.repeat(200)}...`);
  });

  test('says of an empty body that it is empty', () => {
    expect(excerptOf({ status: 500, text: ' ' })).toBe('an empty body');
    expect(excerptOf({ status: 302, text: '' })).toBe('an empty body');
  });

  test('never steers the terminal', () => {
    expect(excerpt('a\u001b[31mb\u009bc\u202ed')).toBe('a [31mb c d');
  });

  test('masks a number where the cut goes through it', () => {
    expect(excerpt(`${'x'.repeat(195)} +12125550123`)).not.toContain('2125');
  });

  test.each([
    ['+12125550123', '+1********23'],
    ['"(212) 555-0123"', '"(21*********23"'],
    ['212.555.0123', '21********23'],
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z'],
    ['call 123456', 'call 123456'],
    ['212/555/0123', '21********23'],
    ['２１２５５５０１２３', '２１******２３'],
    ['+1 ٢١٢ ٥٥٥ ٠١٢٣', '+1***********٢٣'],
    ['212\u2013555\u20130123', '21********23'],
    ['from 192.168.100.200 at 05/01/2026', 'from 192.168.100.200 at 05/01/2026'],
  ])('masks phone numbers and leaves dates: %s', (text, masked) => {
    expect(excerpt(text)).toBe(masked);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 5, 15);
  test.each([
    ['0', 0],
    ['1.5', 1_500],
    [' 30 ', 30_000],
    ['999999999999', 3_600_000],
    ['Mon, 05 Jan 2026 15:01:00 GMT', 60_000],
    ['Monday, 05-Jan-26 15:01:00 GMT', 60_000],
    ['Mon Jan  5 15:01:00 2026', 60_000],
    ['Mon, 05 Jan 2026 14:00:00 GMT', 0],
    ['Mon, the fifth', null],
    ['-1', null],
    ['2026', 2_026_000],
    ['', null],
    [undefined, null],
  ])('%j is %j ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  test('given twice counts once', () => {
    expect(retryAfterMs(['2', '9'], now)).toBe(2_000);
  });
});

test('a cause is never empty: of several failed addresses the first speaks', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
  expect(causeOf(new AggregateError([refused, new Error('x')]))).toBe(
    'nothing listens at ::1:1: the connection was refused (ECONNREFUSED)',
  );
  expect(causeOf(Object.assign(new Error('too slow'), { code: 'UND_ERR_HEADERS_TIMEOUT' }))).toBe(
    'too slow (UND_ERR_HEADERS_TIMEOUT)',
  );
  expect(causeOf('odd')).toBe('odd');
});

test('a dotted name is sent as nested objects', () => {
  const body: Record<string, unknown> = {};
  writePath(body, ['customer', 'number'], '+12125550123');
  writePath(body, ['customer', 'name'], 'A');
  writePath(body, ['agent'], 'ag_9');
  expect(body).toEqual({ customer: { number: '+12125550123', name: 'A' }, agent: 'ag_9' });
});
