import { describe, expect, it } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { PROFILE } from '../helpers.ts';

const reader = createAnalyticsReader(PROFILE.analytics);
/** What comes of a conversation of which the service says this, too. */
const resultOf = (said: object) =>
  reader.read({ status: 'completed', transcript: 'agent: Hello.\nuser: Hi.', ...said });

describe('a service says that a person opted out', () => {
  it.each<Record<string, unknown>>([
    { opt_out: true },
    { optOut: true },
    { opted_out: 'yes' },
    { do_not_call: 1 },
    { dnc: true },
    { DNC: 'Y' },
    { analysis: { opt_out: true } },
    { analysis: { dnc_requested: 'true' } },
    { data: { analysis: { doNotCall: true } } },
    { call: { call_analysis: {}, analysis: { do_not_call: true } } },
    { analysis: { opt_out: { value: true, rationale: 'they said stop' } } },
    { opt_out: { requested: true } },
    { dnc: { detected: true, at: '2026-01-05T10:00:00Z' } },
    { opt_out: ['phone', 'email'] },
    { outcome: 'DNC' },
    { outcome: 'dnc_requested' },
    { disposition: 'Remove From List' },
    { call_outcome: 'Do Not Call' },
    { callResult: 'removalRequested' },
    { analysis: { outcome: 'unsubscribed' } },
    { outcome: 'answered', disposition: 'DNC' },
    { outcome: 'completed', dispositions: 'x', disposition: ['callback', 'opted-out'] },
    { status: 'do_not_call' },
  ])('%j', (said) => {
    expect(resultOf(said)).toMatchObject({ kind: 'settled', result: 'opted_out' });
  });
});

describe('a service says nothing of that', () => {
  it.each<Record<string, unknown>>([
    { opt_out: false, dnc: 'no', do_not_call: 0, optOut: null },
    { dnc: 'N', opted_out: 'none', opt_out: 'not_requested', do_not_call: 'false' },
    { analysis: { opt_out: { value: false, rationale: 'never mentioned' } } },
    { opt_out: {}, dnc: [] },
    { opt_out: '-', dnc: 'No.', do_not_call: 'None.', opted_out: 'not applicable' },
    { opt_out: 'No, thanks', dnc: { value: '--' }, do_not_call: 'not mentioned' },
    {
      opt_out: { requested: false, reviewed: true },
      dnc: ['email'],
      do_not_call: { reason: 'none' },
    },
    { outcome: 'not_interested' },
    { outcome: 'wrong_number' },
  ])('%j', (said) => {
    const found = resultOf(said);
    expect(found.kind === 'settled' && found.result).not.toBe('opted_out');
  });
});
