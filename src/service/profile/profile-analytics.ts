import { z } from 'zod';
import {
  duration,
  names,
  namesOrNone,
  namesTo,
  sayable,
  wordsOrNone,
  wordsTo,
} from './profile-fields.ts';
import { bodyWith, listWith, read } from './profile-lists.ts';

/** The sections `analytics` and `calls` of a profile: what became of calls. */

const analytics = z.strictObject({
  ...read,
  /** Sent with POST; `{{call_id}}` may stand here instead of in the path. */
  body: bodyWith((name) => name === 'call_id', 'call_id').optional(),
  /** Which call an answer is about: where this or one of the next three names another call, the answer is not kept. */
  callId: namesOrNone,
  /** The dial's idempotency key. */
  attempt: namesOrNone,
  phone: namesOrNone,
  agent: namesOrNone,
  /** HTTP statuses that mean "not completed yet". */
  notYet: z
    .array(z.int().min(200).max(499))
    .default([])
    .transform((statuses) => new Set(statuses)),
  within: names.default([[]]),
  status: z
    .strictObject({
      at: namesOrNone,
      ended: wordsOrNone,
      processing: wordsOrNone,
      ignored: wordsOrNone,
      /** The call has not begun; one that has still not begun after `longestCall` is given up. */
      notBegun: wordsOrNone,
      /** When the service will begin a call that it has put off. */
      startsAt: namesOrNone,
    })
    .prefault({}),
  /** What must be there, beside the status word, for the analytics to be final; left out: the word is enough. */
  settled: z
    .strictObject({
      when: names,
      /** So long after the call's end they count as final in any case, ms. */
      atLatest: duration.optional(),
      endedAt: namesOrNone,
    })
    .optional(),
  outcome: z
    .strictObject({
      at: namesOrNone,
      words: wordsTo(sayable).prefault({}),
      default: sayable.optional(),
    })
    .prefault({}),
  /** Any value but false, null, 0 and empty text means that the person wants no more calls. */
  optOut: namesOrNone,
  transcript: z
    .strictObject({
      text: namesOrNone,
      turns: namesOrNone,
      role: namesOrNone,
      say: namesOrNone,
      agent: wordsOrNone,
      person: wordsOrNone,
      other: wordsOrNone,
      /** Roles whose turns nobody heard, such as the prompt and the results of tools: left out of text and turns. */
      hidden: wordsOrNone,
    })
    .prefault({}),
  duration: namesTo(z.enum(['ms', 's', 'min', 'text'])).prefault({}),
  sentiment: z
    .strictObject({
      at: namesOrNone,
      label: namesOrNone,
      score: namesOrNone,
      scoreAt: namesOrNone,
      /** The service's words and what they are called in the results; `none` is no sentiment. */
      words: wordsTo(z.string().min(1)).prefault({}),
    })
    .prefault({}),
  summary: namesOrNone,
  recording: namesOrNone,
  cost: namesOrNone,
  costCurrency: namesOrNone,
  /** An object of fields that the service extracted from the conversation. */
  extracted: namesOrNone,
});

export const analyticsSchema = analytics.superRefine(({ path: at, method, body }, context) => {
  if (body !== undefined && method === 'GET') {
    context.addIssue({ code: 'custom', message: 'it is sent with POST only', path: ['body'] });
  }
  if (at.includes('{call_id}') || body?.uses.has('call_id') === true) return;
  context.addIssue({ code: 'custom', message: 'it must contain {call_id}', path: ['path'] });
});

/**
 * A list of calls, read in place of many single polls. `{since}` in the path and `{{since}}` in the body: from when on
 * calls are listed, as ISO 8601; `since_ms` and `since_s`: the same as a number.
 */
export const callsSchema = z.strictObject({
  ...listWith(['since', 'since_ms', 'since_s']),
  callId: names,
  phone: namesOrNone,
  /** What the dial carried as its idempotency key. */
  attempt: namesOrNone,
  agent: namesOrNone,
  startedAt: namesOrNone,
  /** The object in an item that contains what a poll would find; left out: there is none. */
  analytics: namesOrNone,
  /** False: the list has no transcripts; it only shows that a call is over, and a poll brings the rest. */
  whole: z.boolean().default(true),
});
