import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../src/domain/lead.ts';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { builtIn, dialMeans, tableOf } from './table.ts';

const PROFILE = builtIn('vapi');
const reader = createAnalyticsReader(PROFILE.analytics);

const PROMPT = { role: 'system', message: 'You are kind.', time: 1, secondsFromStart: 0 };
const HELLO = { role: 'bot', message: 'Hello', time: 2, endTime: 3, secondsFromStart: 1 };
const YES = { role: 'user', message: 'Yes?', time: 4, endTime: 5, secondsFromStart: 3 };
const ENDED_AT = '2026-11-22T10:00:00.000Z';
const END = Date.parse(ENDED_AT);

/** A call as it is read once it is over and analysed. */
function over(endedReason: string, more: object = {}) {
  return { status: 'ended', endedReason, endedAt: ENDED_AT, analysis: {}, ...more };
}
const unspoken = { artifact: { messages: [PROMPT], transcript: '' } };
const spoken = {
  startedAt: '2026-11-22T09:59:00.000Z',
  artifact: { messages: [PROMPT, HELLO, YES], transcript: 'AI: Hello\nUser: Yes?\n' },
};

function resultOf(answer: object): string {
  const reading = reader.read(answer, END);
  if (reading.kind !== 'settled') return reading.kind;
  return outcomeOf(reading.analytics, reading.result).result;
}

describe('every published reason for which a call ends', () => {
  const reasons = tableOf('vapi-ended-reasons.tsv');
  const results = (of: (reason: string) => string) =>
    Object.fromEntries(reasons.map(([reason = '']) => [reason, of(reason)]));
  const column = (at: number) =>
    Object.fromEntries(reasons.map((row) => [row[0] ?? '', row[at] ?? '']));

  test('is in the table once', () => {
    expect(reasons).toHaveLength(595);
    expect(new Set(reasons.map(([reason]) => reason)).size).toBe(595);
  });

  test('means what is written down where nobody said anything', () => {
    const meant = Object.entries(column(1)).map(([reason, meaning]) => [
      reason,
      // Nothing was said, and that is there to be read.
      meaning === 'transcript' ? 'no_answer' : meaning,
    ]);
    expect(results((reason) => resultOf(over(reason, unspoken)))).toEqual(
      Object.fromEntries(meant),
    );
  });

  test('and is decided by the transcript where it says nothing of the person', () => {
    const byWord = Object.entries(column(1)).map(([reason, meaning]) => {
      const reading = reader.read(over(reason, unspoken), END);
      const result = reading.kind === 'settled' ? reading.result : reading.kind;
      return [reason, meaning, result ?? 'transcript'];
    });
    expect(byWord.filter(([, meaning, result]) => meaning !== result)).toEqual([]);
  });

  test('is an answered call where the person spoke, unless it speaks of the dial', () => {
    expect(results((reason) => resultOf(over(reason, spoken)))).toEqual(column(2));
  });

  test('of those that only the documentation names', () => {
    const named = {
      'call.start.error-get-org': 'not_called',
      'call.start.error-get-subscription': 'not_called',
      'pipeline-no-available-llm-model': 'failed',
      'call.start.error-of-tomorrow': 'failed',
    };
    const found = Object.keys(named).map((reason) => [reason, resultOf(over(reason, unspoken))]);
    expect(Object.fromEntries(found)).toEqual(named);
  });
});

describe('a call that never began', () => {
  const unpaid = 'call.start.error-subscription-insufficient-credits';

  test.each([
    ['no time', {}, 'not_called_pause'],
    ['as good as no time', { startedAt: '2026-11-22T09:59:59.700Z' }, 'not_called_pause'],
    ['a minute, so that somebody may have been called', { startedAt: spoken.startedAt }, 'failed'],
  ])('took %s', (_what, more, result) => {
    expect(resultOf(over(unpaid, { ...unspoken, ...more }))).toBe(result);
  });

  test('for a calling number that cannot dial out pauses, as the message beside the reason says', () => {
    const endedMessage = "Vapi Numbers Can't Dial Outbound Yet";
    expect(resultOf(over('call.start.error-get-transport', { endedMessage }))).toBe(
      'not_called_pause',
    );
  });

  test('is told as well by its end-of-call-report', () => {
    const report = { type: 'end-of-call-report', endedReason: unpaid, endedAt: ENDED_AT };
    const empty = { artifact: { messages: [] }, analysis: {} };
    expect(resultOf({ ...report, ...empty })).toBe('not_called_pause');
  });

  test.each(['scheduled', 'queued'])('%s is not begun', (status) => {
    expect(reader.read({ status })).toMatchObject({
      kind: 'pending',
      notBegun: { word: status },
    });
  });

  test.each(['ringing', 'in-progress', 'forwarding'])('%s has begun', (status) => {
    expect(reader.read({ status })).toEqual({ kind: 'pending' });
  });
});

describe('a call is final', () => {
  const kindAt = (answer: object, msAfter: number) => reader.read(answer, END + msAfter).kind;
  const unanalysed = { ...over('customer-ended-call', spoken), analysis: undefined };

  test.each<[string, object]>([
    ['with its analysis', over('customer-ended-call', spoken)],
    ['with an analysis that holds nothing', { ...unanalysed, analysis: {} }],
    [
      'with its structured outputs',
      { ...unanalysed, artifact: { ...spoken.artifact, structuredOutputs: { out_1: {} } } },
    ],
    ...[
      'customer-did-not-answer',
      'customer-busy',
      'twilio-reported-customer-misdialed',
      'assistant-not-found',
      'call-start-error-neither-assistant-nor-server-set',
      'call.start.error-subscription-insufficient-credits',
    ].map((reason): [string, object] => [
      `at once where nobody was reached: ${reason}`,
      { status: 'ended', endedReason: reason, endedAt: ENDED_AT },
    ]),
  ])('%s', (_what, answer) => {
    expect(kindAt(answer, 0)).toBe('settled');
  });

  test('a minute and a half after its end where the assistant analyses nothing', () => {
    expect(kindAt(unanalysed, 89_999)).toBe('ended');
    expect(kindAt(unanalysed, 90_000)).toBe('settled');
  });

  test('as the end-of-call-report has it, which comes when all else is done', () => {
    const report = { ...unanalysed, type: 'end-of-call-report', status: undefined };
    expect(reader.read(JSON.parse(JSON.stringify(report))).kind).toBe('settled');
  });
});

describe('a dial that is refused', () => {
  const refusals = tableOf('vapi-refusals.tsv').map(
    ([status = '', message = '', blocked = '', meaning = '', source = '']) =>
      [Number(status), message, blocked, meaning, source] as const,
  );

  test.each(refusals)(
    '%i %s, all lines busy: %s, is %s (%s)',
    async (status, message, blocked, meaning) => {
      const means = await dialMeans(PROFILE, status, {
        message: JSON.parse(message) as unknown,
        error: 'Bad Request',
        statusCode: status,
        ...(blocked !== '-' && { subscriptionLimits: { concurrencyBlocked: blocked === 'true' } }),
      });
      expect(means).toBe(meaning);
    },
  );
});
