import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';

const BASE = readFileSync('campaigns/profiles/reference.yaml', 'utf8');

/** A reader of the reference profile, after replacements in it. */
function readerOf(...changes: [from: string, to: string][]) {
  let text = BASE;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  return createAnalyticsReader(loadProfile(text, 'mine.yaml').analytics);
}

const reader = readerOf();
const DONE = { state: 'completed', analysis: {}, duration_seconds: 5, transcript_text: 'Hi' };

function settledOf(answer: object, from = reader) {
  const reading = from.read(answer);
  if (reading.kind !== 'settled') throw new Error(`it is ${reading.kind}`);
  return { ...reading.analytics, result: reading.result };
}

describe('analytics are final when the profile says so, not when the call is over', () => {
  const endedAt = '2026-01-05T15:00:00Z';
  const end = Date.parse(endedAt);
  test.each<[string, object, number | undefined, string]>([
    ['without what must be there', { ...DONE, analysis: undefined }, undefined, 'ended'],
    ['where it is empty', { ...DONE, analysis: null }, undefined, 'ended'],
    ['where it is false', { ...DONE, analysis: 'false' }, undefined, 'ended'],
    ['with it', DONE, undefined, 'settled'],
    [
      'where an expression excuses it',
      { state: 'failed', duration_seconds: 0 },
      undefined,
      'settled',
    ],
    [
      'so long after the end',
      { ...DONE, analysis: null, ended_at: endedAt },
      end + 600_000,
      'settled',
    ],
    ['just before that', { ...DONE, analysis: null, ended_at: endedAt }, end + 599_999, 'ended'],
    ['without a time of the end', { ...DONE, analysis: null }, end + 600_000, 'ended'],
  ])('%s', (_what, answer, now, kind) => {
    expect(reader.read(answer, now).kind).toBe(kind);
  });
});

describe('the outcome is a table with families and a default', () => {
  test.each<[unknown, string | null]>([
    ['human', 'answered'],
    ['Error_Carrier-17', 'failed'],
    ['error', null],
    ['something new', null],
    ['', null],
    [7, null],
  ])('%j', (outcome, result) => {
    expect(settledOf({ ...DONE, outcome }).result).toBe(result);
  });

  test('a word that is not listed is the default, and no word at all is not', () => {
    const from = readerOf(['# default: failed', 'default: failed']);
    expect(settledOf({ ...DONE, outcome: 'something new' }, from).result).toBe('failed');
    expect(settledOf(DONE, from).result).toBeNull();
  });

  test('the closest family wins', () => {
    const from = readerOf(["'error_*': failed", "'error_*': failed\n      'error_busy*': busy"]);
    expect(settledOf({ ...DONE, outcome: 'error_busy_line' }, from).result).toBe('busy');
  });
});

test.each<[unknown, boolean]>([
  [true, true],
  ['yes', true],
  [1, true],
  [false, false],
  ['No', false],
  ['', false],
  [0, false],
  [null, false],
])('a wish not to be called again (%j) wins over every outcome', (opt_out, isUp) => {
  const answer = { ...DONE, outcome: 'human', data: { analysis: { opt_out } } };
  expect(settledOf(answer).result).toBe(isUp ? 'opted_out' : 'answered');
});

describe("a sentiment goes by the profile's name for the service's word", () => {
  test.each<[unknown, unknown]>([
    ['Pos', { label: 'positive', score: null }],
    [
      { label: 'neg', score: -1 },
      { label: 'negative', score: -1 },
    ],
    ['mixed', { label: 'mixed', score: null }],
    ['Unknown', null],
    [
      { label: 'unknown', score: 0.1 },
      { label: null, score: 0.1 },
    ],
  ])('%j', (sentiment, expected) => {
    expect(settledOf({ ...DONE, sentiment }).sentiment).toEqual(expected);
  });
});

test('a score that an expression computed has no binary fraction', () => {
  const reader = readerOf(['at: [sentiment]', "at: ['= body.mood / 100']"]);
  for (const [mood, score] of [
    [12.3, 0.123],
    [7, 0.07],
    [-35.7, -0.357],
  ] as const) {
    expect(settledOf({ ...DONE, mood }, reader).sentiment).toEqual({ label: null, score });
  }
  const given = { ...DONE, sentiment: { label: 'positive', score: 0.1 + 0.2 } };
  expect(settledOf(given).sentiment).toEqual({ label: 'positive', score: 0.3 });
});

test('a length may be text, or lie between two times', () => {
  const texts = readerOf(['duration_seconds: s', 'duration_seconds: text']);
  expect(settledOf({ ...DONE, duration_seconds: '00:01:23' }, texts).durationMs).toBe(83_000);
  const times = { answered_at: 1_767_625_200, ended_at: '2026-01-05T15:01:10Z' };
  expect(settledOf({ ...DONE, duration_seconds: undefined, ...times }).durationMs).toBe(70_000);
  expect(settledOf({ ...DONE, duration_seconds: undefined, ended_at: 1 }).durationMs).toBeNull();
});

test('extracted fields, a computed cost and a constant currency are kept', () => {
  const answer = { ...DONE, fields: { plan: 'gold', at: [1] }, cost_cents: 12 };
  expect(settledOf(answer)).toMatchObject({
    extracted: { plan: 'gold', at: [1] },
    cost: '0.12',
    costCurrency: 'USD',
  });
  expect(settledOf({ ...DONE, fields: ['gold'] }).extracted).toBeNull();
});

describe('what decides whether a person is called again', () => {
  test('is a time that the profile names, told with the result', () => {
    const answer = { ...DONE, data: { analysis: { call_back_at: '2026-01-06T10:00-05:00' } } };
    expect(reader.read(answer)).toMatchObject({
      kind: 'settled',
      callback: { said: '2026-01-06T10:00-05:00', at: Date.parse('2026-01-06T15:00Z') },
    });
  });

  test('is nothing where the service says that nobody asked', () => {
    for (const call_back_at of [null, false, '', 'none']) {
      const answer = { ...DONE, data: { analysis: { call_back_at } } };
      expect(reader.read(answer)).not.toHaveProperty('callback');
    }
  });

  test('is whether the profile lets derived results be retried, which it does not by default', () => {
    expect(reader.read(DONE)).not.toHaveProperty('retryDerived');
    const allowing = readerOf(['  # retryDerived: true', '  retryDerived: true #']);
    expect(allowing.read(DONE)).toMatchObject({ kind: 'settled', retryDerived: true });
  });
});
