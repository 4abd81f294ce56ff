import { z } from 'zod';
import { isPersonField, PERSON_FIELDS } from '../../domain/lists/person.ts';
import { duration, field, header, names, wordsTo } from './profile-fields.ts';
import { bodyWith, read, shortBody, write } from './profile-lists.ts';

/** The sections of a profile about starting calls: `dial`, `slots` and `limits`. */

/**
 * What an answer means for its dial. `rejected`: this call is refused for good. `refused`: nothing was done,
 * it may be asked again. `pause`: nothing was done, and no other dial would fare better: the campaign pauses.
 */
const MEANINGS = ['rejected', 'refused', 'unknown', 'pause'] as const;
export type DialMeaning = (typeof MEANINGS)[number];

const FILLED = [
  'phone',
  'agent',
  'attempt',
  'from',
  'variables',
  'variables.json',
  'variables.pairs',
];
const isFilled = (name: string) =>
  FILLED.includes(name) || isPersonField(name) || /^lead\.\S/.test(name);
const KNOWN = [...FILLED, 'lead.<column>', ...PERSON_FIELDS].join(', ');

const meaning = z.enum(MEANINGS);

export const dialSchema = z
  .strictObject({
    ...write,
    /** The short form: only the number and the agent, in these fields. */
    send: z.strictObject({ phone: field, agent: field }).optional(),
    body: bodyWith(isFilled, KNOWN).optional(),
    idempotencyKey: header.optional(),
    /** How long the service promises to answer the same key with the same call, ms. */
    idempotentFor: duration.optional(),
    within: names.default([[]]),
    callId: names,
    answers: z
      .record(z.string().regex(/^[345]\d\d$/, 'it must be an HTTP status from 300 to 599'), meaning)
      .transform((rows) => new Map(Object.entries(rows).map(([at, kind]) => [Number(at), kind]))),
    /** The service's own words in an answer without a call id; they win over the status. */
    errors: z.strictObject({ at: names, words: wordsTo(meaning) }).optional(),
  })
  .transform(({ send, body, ...rest }, context) => {
    if ((send === undefined) === (body === undefined)) {
      const message = 'it needs either send (the short form) or body';
      context.addIssue({ code: 'custom', message });
    }
    const whole = body ?? shortBody(send ?? {});
    // Without the key a repeated dial would be a second call.
    const sendsKey = rest.idempotencyKey !== undefined || whole.uses.has('attempt');
    if (rest.idempotentFor !== undefined && !sendsKey) {
      const message = 'it needs the key to be sent: idempotencyKey, or {{attempt}} in the body';
      context.addIssue({ code: 'custom', message, path: ['idempotentFor'] });
    }
    return { ...rest, body: whole };
  });

/** An operation that says how many calls may be started now. */
export const slotsSchema = z.strictObject({
  ...read,
  body: bodyWith(() => false, 'none').optional(),
  within: names.default([[]]),
  /** A number, e.g. `= body.limit - body.current`; below 0 is 0. */
  free: names,
});

/** What the service bears; what a campaign or services.yaml says itself wins. */
export const limitsSchema = z.strictObject({
  /** Of all kinds, dials and looks together. */
  requestsPerSecond: z.number().min(0.01).max(10_000).optional(),
  /** Calls in progress at once, over all campaigns. */
  calls: z.int().min(1).max(10_000).optional(),
  /** No call lasts longer, ms. */
  longestCall: duration.optional(),
  /** An answer that is not here in full by then is given up, ms; one of a dial leaves its call in doubt. */
  answerWithin: duration
    .refine((ms) => ms >= 100 && ms <= 60_000, 'it must be from 100ms to 1m')
    .optional(),
});
