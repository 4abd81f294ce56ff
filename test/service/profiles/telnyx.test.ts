import { describe, expect, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { createDeliveryReader } from '../../../src/service/webhooks/events.ts';
import type { WebhookRules } from '../../../src/service/profile/profile-webhooks.ts';
import { Book } from '../../helpers/providers/book.ts';
import {
  CALLBACK_REQUIRES,
  EARLIER_CALLBACKS,
  ENDED_CALLBACKS,
  HANGUP_CAUSES,
} from '../../helpers/providers/schemas/telnyx.ts';
import type { ANSWERED_BY, CALL_STATUSES } from '../../helpers/providers/schemas/telnyx.ts';
import { telnyx } from '../../helpers/providers/telnyx.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { builtIn, meaningOf } from './table.ts';

const TELNYX = builtIn('telnyx');
const rules: WebhookRules = TELNYX.webhooks ?? fail();

/** Every published value: one that the document gets later has to be added here. */
const STATUSES: Record<(typeof CALL_STATUSES)[number], string> = {
  ringing: 'pending',
  'in-progress': 'pending',
  canceled: 'no_answer',
  completed: 'answered',
  failed: 'failed',
  busy: 'busy',
  'no-answer': 'no_answer',
};
const BY_WHOM: Record<(typeof ANSWERED_BY)[number], string> = {
  human: 'answered',
  machine: 'voicemail',
  not_sure: 'answered',
};

describe('what became of a call', () => {
  const read = createAnalyticsReader(TELNYX.analytics).read;
  const wordOf = (call: object) =>
    meaningOf(TELNYX, { sid: 'v3:1', price: '0.01', price_unit: 'USD', ...call });

  test.each(Object.entries(STATUSES))('by its status %s: %s', (status, meaning) => {
    expect(wordOf({ status })).toBe(meaning);
  });

  test.each(Object.entries(BY_WHOM))('by what answered it, %s: %s', (answered_by, meaning) => {
    expect(wordOf({ status: 'completed', answered_by })).toBe(meaning);
    // It is told while the call goes on.
    expect(wordOf({ status: 'in-progress', answered_by })).toBe('pending');
  });

  test('is final with its price, and a minute after its end without one', () => {
    const over = {
      sid: 'v3:1',
      status: 'completed',
      answered_by: 'human',
      duration: '12',
      end_time: 'Sun, 22 Nov 2026 09:56:45 +0000',
    };
    const end = Date.parse(over.end_time);
    expect(read(over, end + 59_000)).toMatchObject({ kind: 'ended' });
    expect(read(over, end + 60_000)).toMatchObject({ kind: 'settled', result: 'answered' });
    const whole = read({ ...over, price: '0.10', price_unit: 'USD' }, end);
    expect(whole).toMatchObject({
      kind: 'settled',
      analytics: { durationMs: 12_000, costCurrency: 'USD' },
    });
    expect(whole.kind === 'settled' && String(whole.analytics.cost)).toMatch(/^0\.10?$/);
  });
});

describe('a callback', () => {
  const read = createDeliveryReader(rules, TELNYX.analytics);
  const of = (fields: Record<string, string>) =>
    read(
      Buffer.from(
        new URLSearchParams({ CallSid: 'v3:1', To: '+12125550123', ...fields }).toString(),
      ),
      'application/x-www-form-urlencoded',
    );

  test.each<[status: string, meaning: string, result: string | null]>([
    ['completed', 'ended', null],
    ['busy', 'analytics', 'busy'],
    ['no-answer', 'analytics', 'no_answer'],
    ['canceled', 'analytics', 'no_answer'],
    ['failed', 'analytics', 'failed'],
    ['initiated', 'ignored', null],
    ['ringing', 'ignored', null],
    ['in-progress', 'ignored', null],
    // After the work on a finished conversation.
    ['analyzed', 'ignored', null],
  ])('with CallStatus %s: %s', (CallStatus, meaning, result) => {
    const reading = of({ CallStatus, CallDuration: '0' });
    expect(reading).toMatchObject({
      kind: 'event',
      meaning,
      callId: 'v3:1',
      phone: '+12125550123',
    });
    const look = reading.kind === 'event' ? reading.found : null;
    if (result === null) expect(look).toBeNull();
    else expect(look).toMatchObject({ kind: 'settled', result });
  });

  test('has a meaning for every published CallStatus', () => {
    const known = new Set(rules.events.keys());
    const all = [...ENDED_CALLBACKS, ...EARLIER_CALLBACKS].map((word) => word.replace('-', '_'));
    expect(all.filter((word) => !known.has(word))).toEqual([]);
  });

  // A 403 and a 404 of the line are also what an account without money or rights gets (D1 to D41).
  test.each(HANGUP_CAUSES)('is no other for its HangupCause %s', (HangupCause) => {
    for (const [CallStatus, result] of [
      ['busy', 'busy'],
      ['no-answer', 'no_answer'],
      ['canceled', 'no_answer'],
      ['failed', 'failed'],
    ] as const) {
      expect(of({ CallStatus, HangupCause })).toMatchObject({ found: { kind: 'settled', result } });
    }
  });

  test.each([
    ['20012', 'Account inactive', 'not_called_pause'],
    ['20013', 'Account blocked', 'not_called_pause'],
    ['20100', 'Insufficient Funds', 'not_called_pause'],
    ['90041', 'User termination channels limit exceeded', 'not_called'],
    ['90042', 'Outbound voice profile channels limit exceeded', 'not_called'],
    ['90043', 'Connection outbound channels limit exceeded', 'not_called'],
    ['90103', 'Dials per second limit', 'not_called'],
    ['10001', 'Inactive phone number', 'failed'],
  ])('of a call that failed with ErrorCode %s (%s): %s', (ErrorCode, ErrorMessage, result) => {
    const reading = of({ CallStatus: 'failed', ErrorCode, ErrorMessage });
    expect(reading).toMatchObject({ found: { kind: 'settled', result } });
  });

  test('of the stand-in has every field that the published one must have', () => {
    const wire = telnyx();
    const call = new Book(wire, { clock: new VirtualClock() }).place({
      phone: '+12125550123',
      agentId: 'assistant-1',
      from: wire.from,
      variables: {},
      metadata: {},
    });
    return call.then((placed) => {
      for (const event of wire.events(placed)) {
        const { body } = wire.message(placed, event, { secret: 'x', url: '', now: 0 });
        const names = [...new URLSearchParams(body).keys()];
        expect(CALLBACK_REQUIRES.filter((name) => !names.includes(name))).toEqual([]);
      }
    });
  });
});

function fail(): never {
  throw new Error('a test that is not whole');
}
