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

/** The sections of a profile about what became of calls: `analytics` and `calls`. */

const NONE = { at: [], ended: [], processing: [], ignored: [], notBegun: [], startsAt: [] };

const analytics = z.strictObject({
  ...read,
  /** Sent with POST; `{{call_id}}` may stand here instead of in the path. */
  body: bodyWith((name) => name === 'call_id', 'call_id').optional(),
  /** What an answer says of whose call it tells: where one of these is another's, it is not kept as this call's. */
  callId: namesOrNone,
  /** What the dial carried as its idempotency key. */
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
      /** The call has not begun; one that still has not when no call lasts so long is given up. */
      notBegun: wordsOrNone,
      /** The time to which the service itself has put a call off that has not begun. */
      startsAt: namesOrNone,
    })
    .prefault(NONE),
  /** What must be there beside the word for the analytics to be final; without it the word is enough. */
  settled: z
    .strictObject({
      when: names,
      /** Without it the analytics count as final so long after the call's end, ms. */
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
  /** A value other than false, null, 0 and empty text says that the person wants no more calls. */
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
      /** Roles whose turns nobody heard, such as the prompt and what tools answered: left out of text and turns. */
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
  /** An object of fields that the service read out of the conversation. */
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
 * A list of calls, read instead of many single ones. `{since}` in the path, `{{since}}` in the body: the time from
 * which calls are asked for, as ISO 8601; `since_ms` and `since_s` as a number.
 */
export const callsSchema = z.strictObject({
  ...listWith(['since', 'since_ms', 'since_s']),
  callId: names,
  phone: namesOrNone,
  /** What the dial carried as its idempotency key. */
  attempt: namesOrNone,
  agent: namesOrNone,
  startedAt: namesOrNone,
  /** The object in an item that says what a look would find; left out: only a look tells. */
  analytics: namesOrNone,
  /** False: the list leaves out what was said; it tells that a call is over, and a look brings the rest. */
  whole: z.boolean().default(true),
});
