import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../../src/app/sentences/notices.ts';
import type { Notice } from '../../../src/runtime/log.ts';

describe('what happens in a run', () => {
  const told: [Notice, string][] = [
    [
      { event: 'campaign.paused', reason: 'operator', detail: 'paused by op' },
      "Paused: no new call is started; calls in progress end by themselves. `callsheet resume 'my list'` goes on.",
    ],
    [
      { event: 'campaign.paused', reason: 'breaker', detail: 'HTTP 500' },
      'Paused by callsheet: HTTP 500.',
    ],
    [{ event: 'campaign.resumed' }, 'Resumed.'],
    [
      { event: 'breaker.opened', detail: 'HTTP 500.' },
      'The service fails: no new call until it answers again. Last: HTTP 500.',
    ],
    [{ event: 'breaker.closed' }, 'The service answers again.'],
    [
      { event: 'slots.shrunk', limit: 1 },
      'The service did not take a call for now (HTTP 429 or the like): 1 slot in use until it takes calls again.',
    ],
    [
      { event: 'store.failing', detail: 'disk full' },
      'The database cannot be written (disk full); no new call is started.',
    ],
    [
      { event: 'disk.full' },
      'The disk of the database has less than 64 MB free: no new call is started; calls in progress are collected.',
    ],
    [
      { event: 'call.unknown', attempt: 'a', detail: 'timed out' },
      'The answer of a call was lost: timed out.',
    ],
    [
      { event: 'doubt.found', attempt: 'a', callId: 'call_1' },
      "A call whose answer was lost is in the service's list of calls: call_1.",
    ],
    [
      { event: 'doubt.contradicted', attempt: 'a', detail: 'it names two calls' },
      "The service's list of calls contradicts what is known: it names two calls.",
    ],
  ];
  it.each(told)('is told at once: %o', (notice, sentence) => {
    expect(sentenceOf(notice, 'my list')).toBe(sentence);
  });

  const counted: Notice[] = [
    { event: 'call.placed', attempt: 'a', callId: 'c' },
    { event: 'call.settled', attempt: 'a', callId: 'c', result: 'answered' },
    { event: 'call.released', attempt: 'a', detail: '429' },
    { event: 'call.rejected', attempt: 'a', detail: '422' },
    { event: 'poll.failed', attempt: 'a', detail: '500' },
    { event: 'search.failed', detail: '500' },
  ];
  it.each(counted)('to a single call is for the log and the counts: %o', (notice) => {
    expect(sentenceOf(notice, 'spring')).toBeUndefined();
  });
});
