import { describe, expect, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { PROFILE } from '../helpers.ts';

const reader = createAnalyticsReader(PROFILE.analytics);

function analyticsOf(answer: unknown) {
  const reading = reader.read(answer);
  if (reading.kind !== 'settled') throw new Error(`it is ${reading.kind}`);
  return reading.analytics;
}

test('the documented answer is read whole, and kept as it came', () => {
  const answer = {
    call_id: 'c1',
    status: 'completed',
    transcript: 'agent: Hello\nuser: Hi',
    duration: 42.5,
    sentiment: 'Positive',
    summary: 'Short.',
    recording_url: 'https://files.example.com/c1',
    cost: '0.12',
    currency: 'USD',
  };
  expect(reader.read(answer)).toEqual({
    kind: 'settled',
    result: null,
    isGuess: true,
    names: { callIds: ['c1'], attemptKeys: [], phones: [], agents: [] },
    analytics: {
      transcript: 'agent: Hello\nperson: Hi',
      turns: [
        { speaker: 'agent', text: 'Hello' },
        { speaker: 'person', text: 'Hi' },
      ],
      durationMs: 42_500,
      sentiment: { label: 'positive', score: null },
      summary: 'Short.',
      recordingUrl: 'https://files.example.com/c1',
      cost: '0.12',
      costCurrency: 'USD',
      extracted: null,
      raw: answer,
    },
  });
});

test('camelCase, a nesting under data, turns and milliseconds give the same without touching the profile', () => {
  const answer = {
    status: 'success',
    data: {
      callId: 'c1',
      callStatus: 'Completed',
      transcript: [
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Hi' },
      ],
      durationMs: 42_500,
      sentimentAnalysis: { overallLabel: 'POSITIVE', overallScore: 0.8 },
      callSummary: 'Short.',
      recordingUrl: 'https://files.example.com/c1',
      totalCost: 0.12,
      costCurrency: 'USD',
    },
  };
  expect(analyticsOf(answer)).toMatchObject({
    transcript: 'agent: Hello\nperson: Hi',
    turns: [
      { speaker: 'agent', text: 'Hello' },
      { speaker: 'person', text: 'Hi' },
    ],
    durationMs: 42_500,
    sentiment: { label: 'positive', score: 0.8 },
    summary: 'Short.',
    recordingUrl: 'https://files.example.com/c1',
    cost: '0.12',
    costCurrency: 'USD',
  });
});

describe('a duration is a number or a number as text, in the unit of its name', () => {
  test.each([
    [{ duration: 42 }, 42_000],
    [{ duration: '42' }, 42_000],
    [{ duration: ' 42.5 ' }, 42_500],
    [{ duration_ms: '42500' }, 42_500],
    [{ durationSeconds: 0 }, 0],
    [{ duration_minutes: 1.5 }, 90_000],
    [{ duration: { seconds: 42 } }, 42_000],
    [{ duration: 42, duration_ms: 42_499.6 }, 42_500],
    [{ analytics: { duration_seconds: 42 } }, 42_000],
    [{ duration: 'long', transcript: '' }, null],
    [{ duration: -1, transcript: '' }, null],
    [{ duration: 1e300, transcript: '' }, null],
    [{ duration: '9'.repeat(400), transcript: '' }, null],
    [{ duration: 1_767_625_200_000, transcript: '' }, null],
    [{ duration: null, transcript: '' }, null],
  ])('%j', (answer, durationMs) => {
    expect(analyticsOf(answer).durationMs).toBe(durationMs);
  });
});

describe('a sentiment is a word, a number or an object', () => {
  test.each([
    ['positive', { label: 'positive', score: null }],
    [-0.4, { label: null, score: -0.4 }],
    ['0.8', { label: null, score: 0.8 }],
    [
      { label: 'Neutral', score: 0.1 },
      { label: 'neutral', score: 0.1 },
    ],
    [{ value: 'negative' }, { label: 'negative', score: null }],
    [{ value: 0.3 }, { label: null, score: 0.3 }],
    [{ other: 1 }, null],
    ['', null],
  ])('%j', (sentiment, expected) => {
    expect(analyticsOf({ sentiment, transcript: 'x' }).sentiment).toEqual(expected);
  });

  test('and a score may stand beside the word', () => {
    const answer = { sentiment: 'positive', sentiment_score: '0.8' };
    expect(analyticsOf(answer).sentiment).toEqual({ label: 'positive', score: 0.8 });
    expect(analyticsOf({ sentimentScore: 0.8, transcript: '' }).sentiment).toEqual({
      label: null,
      score: 0.8,
    });
  });
});

describe('a transcript is text or turns', () => {
  const hello = { speaker: 'agent', text: 'Hello' };
  test.each([
    ['nested text', { transcript: { text: 'Hello' } }, 'Hello', []],
    [
      'nested turns',
      { transcript: { turns: [{ speaker: 'AI', text: 'Hello' }] } },
      'agent: Hello',
      [hello],
    ],
    [
      'text and turns',
      { transcript: 'Agent said hello', turns: [{ role: 'agent', text: 'Hello' }] },
      'agent: Hello',
      [hello],
    ],
    ['text and no turns', { transcript: 'Hello', turns: [] }, 'Hello', []],
    ['no turns', { transcript: [] }, '', []],
    ['a prompt alone', { messages: [{ role: 'system', content: 'Be kind.' }] }, '', []],
    [
      'a prompt and a tool, which nobody heard',
      {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'assistant', content: 'Hello' },
          { role: 'tool_calls', toolCalls: [{ id: 't1' }] },
          { role: 'Tool-Call-Result', content: '{"open":"9-17"}' },
        ],
      },
      'agent: Hello',
      [hello],
    ],
    [
      'a prompt, and what was said as text',
      { messages: [{ role: 'system', content: 'Be kind.' }], transcript: 'AI: Hello' },
      'agent: Hello',
      [{ speaker: 'agent', text: 'Hello' }],
    ],
    ['lines', { transcript: ['Hello', 'Hi'] }, 'Hello\nHi', []],
    [
      'a role that is not known',
      {
        turns: [
          { role: 'agent', text: 'Hello' },
          { role: 'B', text: 'Hi' },
        ],
      },
      'agent: Hello\nB: Hi',
      [],
    ],
    ['pieces without text', { duration: 1, transcript: [{ at: 3 }] }, null, []],
  ])('%s', (_what, answer, transcript, turns) => {
    expect(analyticsOf(answer)).toMatchObject({ transcript, turns });
  });
});

describe('whether a call is over is the word of the service', () => {
  test.each([
    ['queued', 'pending'],
    ['in-progress', 'pending'],
    ['something new', 'pending'],
    ['processing', 'ended'],
    ['callDisconnected', 'ended'],
    ['COMPLETED', 'settled'],
    ['no-answer', 'settled'],
  ])('%s: %s', (status, kind) => {
    expect(reader.read({ status, transcript: 'x' }).kind).toBe(kind);
  });

  test('a word about the request says nothing about the call', () => {
    expect(reader.read({ status: 'ok', data: { status: 'ringing', transcript: '' } }).kind).toBe(
      'pending',
    );
    expect(reader.read({ status: 'success', data: { transcript: 'x' } }).kind).toBe('settled');
    expect(reader.read({ status: 'error', message: 'no such call' }).kind).toBe('unreadable');
  });

  test('without a word, values settle it and empty fields do not', () => {
    expect(reader.read({ transcript: '' }).kind).toBe('settled');
    expect(reader.read({ transcript: null, duration: null, sentiment: null }).kind).toBe('pending');
  });
});

describe("a result is the service's own word where the profile maps it", () => {
  test.each([
    [{ status: 'no-answer' }, 'no_answer'],
    [{ status: 'busy', duration: 0 }, 'busy'],
    [{ status: 'completed', transcript: '', outcome: 'Voicemail' }, 'voicemail'],
    [{ call: { status: 'ended', ended_reason: 'do-not-call' }, transcript: 'x' }, 'opted_out'],
    [{ status: 'completed', transcript: 'x', outcome: 'interested' }, null],
    [{ status: 'completed', transcript: 'x', result: { id: 1 } }, null],
    [{ outcome: 'declined' }, 'declined'],
  ])('%j', (answer, result) => {
    expect(reader.read(answer)).toMatchObject({ kind: 'settled', result });
  });
});

test('a null transcript of a call that is over is empty, unless the duration says that somebody talked', () => {
  expect(analyticsOf({ status: 'completed', transcript: null, duration: 0 }).transcript).toBe('');
  expect(
    analyticsOf({ status: 'completed', transcript: null, duration: 95 }).transcript,
  ).toBeNull();
  expect(analyticsOf({ status: 'completed', duration: 0 }).transcript).toBeNull();
});

test('an answer without any of the three names the fields looked for', () => {
  for (const answer of [undefined, 'text', null]) {
    expect(reader.read(answer)).toMatchObject({ kind: 'unreadable' });
  }
  const reading = reader.read({ status: 'completed', words: 'x' });
  expect(reading).toMatchObject({ kind: 'unreadable' });
  expect((reading as { why: string }).why).toMatch(
    /^it has none of a transcript \(transcript, .*\), a duration \(duration_ms, .*\) or a sentiment \(sentiment, /,
  );
});

test('names of the language itself are no fields', () => {
  const answer = JSON.parse('{"__proto__":{"transcript":"x"},"constructor":"y"}') as unknown;
  expect(reader.read(answer).kind).toBe('unreadable');
});
