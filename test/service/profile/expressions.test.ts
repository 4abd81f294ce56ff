import { describe, expect, test, vi } from 'vitest';
import {
  compileExpression,
  epochMs,
  ExpressionError,
} from '../../../src/service/profile/expressions.ts';
import { parsePath, pathText, readPath } from '../../../src/service/profile/read-fields.ts';

const BODY = {
  startedAt: '2026-01-05T15:00:00Z',
  endedAt: '2026-01-05T15:01:23.5Z',
  cents: 150,
  centsAsText: '12.5',
  blank: ' ',
  flag: true,
  name: null,
  turns: [{ who: 'a' }, { who: 'b' }],
  'call id': 'c1',
  'a/b~c': { 'd.e': 7 },
};

describe('an expression computes a field', () => {
  test.each<[string, unknown]>([
    ['time(body.endedAt) - time(body.startedAt)', 83_500],
    ['timestamp(body.endedAt) - timestamp(body.startedAt)', 83_500],
    ['body.cents / 100', 1.5],
    ['body.centsAsText / 100', 0.125],
    ['100 * body.cents', 15_000],
    ['1 + 2', 3],
    ['body.flag ? "voicemail" : ""', 'voicemail'],
    ['body.name', null],
    ['has(body.nothing)', false],
    ['!has(body.nothing)', true],
    ['has(body.nothing) ? body.nothing : 1', 1],
    ['body.nothing == 1 || body.flag', true],
    ['body.nothing == 1 && !body.flag', false],
    ['body.flag ? 1 : body.nothing', 1],
    ['"b" in ["b", body.name]', true],
    ['size("ab") + body.cents', 152],
    ['body.turns[1].who', 'b'],
    ['body.turns.exists(turn, turn.who == "b")', true],
    ['{"a": body.cents}', { a: 150 }],
    ['body["call id"]', 'c1'],
  ])('%s', (text, value) => {
    expect(compileExpression(text).evaluate(BODY)).toEqual(value);
  });
});

describe('an expression that cannot be computed found nothing', () => {
  test.each([
    'body.nothing',
    'body.nothing.more',
    'body.name + 1',
    'body.blank / 100',
    'body.cents / body.turns',
    'time(body.flag) - time(body.startedAt)',
    'body.constructor',
    'body.__proto__',
    'body.turns[9]',
  ])('%s', (text) => {
    expect(compileExpression(text).evaluate(BODY)).toBeUndefined();
    for (const other of [undefined, null, 1, 'x', []]) {
      expect(compileExpression('body.a.b').evaluate(other)).toBeUndefined();
    }
  });
});

describe('an expression is refused, with its place', () => {
  test.each([
    ['1 +', 3],
    ['other.x', 0],
    ['"a" - 1', 0],
    ['body.a.matches("(a+)+$")', 0],
    ['body.a.all(x, body.b.all(y, x == y))', 14],
    ['['.repeat(60) + ']'.repeat(60), expect.any(Number)],
  ])('%s', (text, offset) => {
    let thrown: unknown;
    try {
      compileExpression(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ExpressionError);
    expect((thrown as ExpressionError).offset).toEqual(offset);
    expect((thrown as ExpressionError).message).not.toContain('\n');
  });
});

test('a time is a date, seconds or ms', () => {
  const at = Date.parse('2026-01-05T15:00:00Z');
  for (const value of [
    BODY.startedAt,
    at,
    at / 1_000,
    String(at),
    'Mon, 05 Jan 2026 15:00:00 +0000',
  ]) {
    expect(epochMs(value)).toBe(at);
  }
  for (const value of ['soon', '', null, undefined, {}, true]) expect(epochMs(value)).toBeNaN();
});

describe('a time without a zone is UTC, wherever callsheet runs', () => {
  test.each([
    '2026-01-05T15:00:00',
    '2026-01-05 15:00',
    '2026-01-05 03:00:00 pm',
    '2026/01/05 15:00:00',
    '2026/1/5 3:00 PM',
    '5 Jan 2026 15:00',
    '05-Jan-2026 15:00:00',
    'January 5, 2026 3:00 PM',
    'Mon, 05 Jan 2026 15:00:00',
    'Monday 5 Jan 2026 15:00',
    '2026/01/05 15:00:00 Z',
    '2026/01/05 10:00:00 EST',
    '2026/01/05 17:00:00+0200',
    'Mon Jan 05 2026 17:00:00 GMT+0200 (CEST)',
  ])('%s', (text) => {
    for (const zone of ['America/New_York', 'Asia/Kolkata']) {
      vi.stubEnv('TZ', zone);
      expect(epochMs(text)).toBe(Date.UTC(2026, 0, 5, 15));
    }
  });

  test('and a day is its midnight', () => {
    vi.stubEnv('TZ', 'America/New_York');
    for (const text of ['2026-01-05', '2026/1/5', '5 Jan 2026', 'Jan 5, 2026'])
      expect(epochMs(text)).toBe(Date.UTC(2026, 0, 5));
  });
});

describe('one field has three spellings', () => {
  test.each<[string, unknown]>([
    ['turns.1.who', 'b'],
    ['/turns/1/who', 'b'],
    ['= body.turns[1].who', 'b'],
    ['/a~1b~0c/d.e', 7],
    ['/call id', 'c1'],
    ['.', BODY],
    ['/turns/7', undefined],
  ])('%s', (text, value) => {
    const path = parsePath(text);
    expect(readPath(BODY, path)).toEqual(value);
    expect(readPath(BODY, parsePath(pathText(path)))).toEqual(value);
  });
});
