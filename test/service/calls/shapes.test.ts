import { expect, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { unknownWordSentence } from '../../../src/text/nearest.ts';
import { ANSWERS } from '../../helpers/services/wire-shapes.ts';
import { PROFILE } from '../helpers.ts';

const { read } = createAnalyticsReader(PROFILE.analytics);
const ORIGIN = 'https://service.example.com';

test.each(ANSWERS)('$name is read, or the field is named with its line', ({ answer, right }) => {
  const body = answer({ callId: 'call-1', origin: ORIGIN });
  const reading = read(
    JSON.parse(typeof body === 'string' ? body : JSON.stringify(body)),
    Date.UTC(2026, 1, 1),
  );

  if (reading.kind !== 'settled') throw new Error(`it is ${reading.kind}`);
  const { analytics, unknown = [], isGuess = false } = reading;
  const readMs = analytics.durationMs ?? NaN;
  const length = readMs / (isGuess && readMs > 1e6 ? 1e6 : 1e3);
  const isRead =
    String(length) === right['call_duration_seconds'] &&
    (analytics.sentiment?.label ?? '') === right['call_sentiment'] &&
    (reading.transcriptAt ?? analytics.transcript) ===
      (reading.transcriptAt ?? right['call_transcript']);
  const lines = unknown.map(unknownWordSentence);
  expect(isRead || lines.some((line) => line.includes('Write into the profile: `'))).toBe(true);
});

test('an answer without an end is told by the field that may hold it', () => {
  const of = (fields: object) => {
    const reading = read({ transcript: 'agent: Hello.', duration: 3, sentiment: 'x', ...fields });
    return reading.kind === 'settled'
      ? [reading.isUnproved ?? false, reading.unknown]
      : reading.kind;
  };
  expect(of({ phase: 'done' })).toEqual([true, [{ of: 'state', word: 'phase' }]]);
  expect(of({ hung_up: true })).toEqual([true, [{ of: 'flag', word: 'hung_up' }]]);
  expect(of({ closed_on: '2026-01-05T15:00:00Z' })).toEqual([
    true,
    [{ of: 'end', word: 'closed_on' }],
  ]);
  expect(of({})).toEqual([true, [{ of: 'no_end', word: '' }]]);
  expect(of({ outcome: 'busy' })).toEqual([false, undefined]);
  expect(of({ answered_by: 'human' })).toEqual([true, [{ of: 'no_end', word: '' }]]);
  expect(of({ status: 'completed' })).toEqual([false, undefined]);
});
