import { z } from 'zod';
import {
  duration,
  names,
  namesOrNone,
  namesTo,
  pathWith,
  sayable,
  wordsOr,
  wordsOrNone,
  wordsTo,
} from './profile-fields.ts';
import { bodyWith, listWith, read } from './profile-dial.ts';
import { isFieldPath } from './read-fields.ts';

/** Sections `analytics` and `calls` of a profile: reading what happened to calls. */

/** Usual words for a call in progress; a profile may name its own. */
const RUNNING =
  'new created scheduled rescheduled pending waiting queued registered allocated accepted initiated initiating starting started dialing dialling calling ringing early_media connecting connected placed in_progress inprogress ongoing active live running open talking speaking hold on_hold forwarding transferring'.split(
    ' ',
  );

const OF_A_CALL = ['call_id', 'agent', 'phone'];

const analytics = z.strictObject({
  ...read,
  path: pathWith(...OF_A_CALL),
  /** Sent with POST; `{{call_id}}` may be here instead of in the path. */
  body: bodyWith((name) => name === 'call_id', 'call_id').optional(),
  /** If this or one of the next three names another call, the answer is not kept. */
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
  /** A second answer, read when the first one says that the call is over. */
  more: z
    .strictObject({
      ...listWith(['call_id']),
      method: z.enum(['GET', 'POST']).default('GET'),
      path: pathWith(...OF_A_CALL),
      /** The field that holds the second answer; a first answer that has it needs no second one. */
      into: z.string().regex(/^[a-z]\w*$/i, 'it must be a name of letters, digits and _'),
      /** The list in the answer: all its pages are read, and `into` is their items. Left out: `into` is the answer. */
      items: namesOrNone,
    })
    .optional(),
  within: names.default([[]]),
  status: z
    .strictObject({
      at: namesOrNone,
      ended: wordsOrNone,
      processing: wordsOrNone,
      ignored: wordsOrNone,
      /** Words for a call in progress. An unknown word means the same and is reported. */
      running: wordsOr(RUNNING),
      /** Words for "the call has not begun"; a call that has still not begun after `longestCall` is given up. */
      notBegun: wordsOrNone,
      /** When the service will begin a call that it has postponed. */
      startsAt: namesOrNone,
    })
    .prefault({}),
  /** What makes analytics final besides the status word; left out: nothing. */
  settled: z
    .strictObject({
      when: names,
      /** This long after the call's end (ms), the analytics count as final in any case. */
      atLatest: duration.optional(),
      endedAt: namesOrNone,
    })
    .optional(),
  outcome: z
    .strictObject({
      at: namesOrNone,
      words: wordsTo(sayable).prefault({}),
      /** Words such as `success` that say nothing about the result. */
      ignored: wordsOrNone,
      default: sayable.optional(),
    })
    .prefault({}),
  /** Any value but false, null, 0, empty text and words such as `none` means that the person wants no more calls. */
  optOut: namesOrNone,
  /**
   * When the person wants to be called again: ISO 8601, epoch seconds or ms; without an offset in their own time.
   * Causes one more call.
   */
  callback: namesOrNone,
  /** True: a result that was derived from the transcript may be retried like one that the service gave. */
  retryDerived: z.boolean().default(false),
  transcript: z
    .strictObject({
      text: namesOrNone,
      turns: namesOrNone,
      role: namesOrNone,
      say: namesOrNone,
      agent: wordsOrNone,
      person: wordsOrNone,
      other: wordsOrNone,
      /** Roles whose turns nobody heard, such as the prompt and tool results: left out of text and turns. */
      hidden: wordsOrNone,
      /** Address of the transcript; read at the service's own origin only. */
      url: namesOrNone,
    })
    .prefault({}),
  /** `auto`: seconds, or milliseconds where the call cannot have lasted so many seconds. */
  duration: namesTo(z.enum(['auto', 'ms', 's', 'min', 'text'])).prefault({}),
  /** When the call began; the length of a call without `duration` is the time until `endedAt`. */
  startedAt: namesOrNone,
  /** When the call ended: an answer without a status word that has it is about a call that is over. */
  endedAt: namesOrNone,
  sentiment: z
    .strictObject({
      at: namesOrNone,
      label: namesOrNone,
      score: namesOrNone,
      scoreAt: namesOrNone,
      /** Maps the service's words to the names used in the results; `none` means that there is no sentiment. */
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

export const analyticsSchema = analytics
  .superRefine((first, context) => {
    for (const [read, at] of [
      [first, []],
      [first.more, ['more']],
    ] as const) {
      const complain = (message: string, key: string) =>
        context.addIssue({ code: 'custom', message, path: [...at, key] });
      if (read?.body !== undefined && read.method === 'GET') {
        complain('it is sent with POST only', 'body');
      }
      const isNamed = read?.path.includes('{call_id}') ?? true;
      if (!isNamed && read?.body?.uses.has('call_id') !== true) {
        complain('it must contain {call_id}', 'path');
      }
    }
  })
  // What the second answer brings is found, whatever objects the first one's fields are in.
  .transform((first) => {
    const isWhole = first.within.some((path) => isFieldPath(path) && path.length === 0);
    return first.more && !isWhole ? { ...first, within: [...first.within, []] } : first;
  });

/**
 * A list of calls, read in place of many single polls. `{since}` in the path and `{{since}}` in the body are the time
 * from which calls are listed, as ISO 8601; `since_ms` and `since_s` are the same time as epoch ms and epoch seconds.
 */
export const callsSchema = z.strictObject({
  ...listWith(['since', 'since_ms', 'since_s']),
  /** With `{agent}` or `{phone}` in it, each agent or number has a list of its own. */
  path: pathWith('since', 'since_ms', 'since_s', 'agent', 'phone'),
  callId: names,
  phone: namesOrNone,
  /** The idempotency key that the dial carried. */
  attempt: namesOrNone,
  agent: namesOrNone,
  startedAt: namesOrNone,
  /** The object in an item that contains what a poll would find; left out: items contain no such object. */
  analytics: namesOrNone,
  /** False: the list has no transcripts; it only shows that a call is over, and a poll reads the rest. */
  whole: z.boolean().default(true),
});
