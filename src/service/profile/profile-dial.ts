import { z } from 'zod';
import { isPersonField, PERSON_FIELDS } from '../../domain/lists/person.ts';
import { NAMINGS } from '../../domain/lists/prompt-names.ts';
import {
  duration,
  field,
  header,
  names,
  namesOrNone,
  pathWith,
  wordsTo,
} from './profile-fields.ts';
import { bodyOf, bodyWith, read, write } from './profile-lists.ts';

/** The sections `dial`, `slots` and `limits` of a profile: how calls are started. */

/**
 * What an answer means for its dial. `rejected`: this call is refused for good. `refused`: no call was made, and the
 * lead may be dialled again. `pause`: no call was made, and every other dial would end the same way, so the campaign
 * pauses.
 */
const meaning = z.enum(['rejected', 'refused', 'unknown', 'pause']);
/**
 * What an error word may mean besides. `invalid_number`: rejected, because no phone has this number, so that the person's
 * next number is called. A status alone never says that: it may blame what is the same in every dial.
 */
const wordMeaning = z.enum([...meaning.options, 'invalid_number']);
export type DialMeaning = z.output<typeof wordMeaning>;

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

const promptVariables = z.strictObject({
  named: z.enum(NAMINGS).default('{{name}}'),
  own: z.array(z.string().min(1)).default([]),
});

export const dialSchema = z
  .strictObject({
    ...write,
    path: pathWith('agent', 'phone'),
    /** How prompts name variables, and which of them the service fills in itself; `none`: it has no field for them. */
    variables: z
      .union([z.literal('none'), promptVariables], 'it must be none, or { named, own }')
      .prefault({}),
    /** The short form: only the number and the agent, in these fields. */
    send: z.strictObject({ phone: field, agent: field }).optional(),
    body: bodyWith(isFilled, KNOWN).optional(),
    idempotencyKey: header.optional(),
    /** For how long (ms) the service promises to answer a repeated key with the call of the first dial. */
    idempotentFor: duration.optional(),
    within: names.default([[]]),
    callId: namesOrNone,
    /** The path of a call, where the Location header of an answer names it, e.g. `/v1/calls/{call_id}`. */
    location: z
      .string()
      .regex(/^\/[^?#\s]*$/, 'it must be a path with {call_id} in it')
      .includes('{call_id}', 'it must be a path with {call_id} in it')
      .optional(),
    /** Where a refusal names its call: then the call was made or may still be made, and is polled, never dialled again. */
    callIdInRefusal: namesOrNone,
    answers: z
      .record(z.string().regex(/^[345]\d\d$/, 'it must be an HTTP status from 300 to 599'), meaning)
      .transform((rows) => new Map(Object.entries(rows).map(([at, kind]) => [Number(at), kind]))),
    /** The service's error words in an answer without a call id; they take precedence over the HTTP status. */
    errors: z.strictObject({ at: names, words: wordsTo(wordMeaning) }).optional(),
  })
  .transform(({ send, body, ...rest }, context) => {
    const whole = bodyOf({ send, body }, context);
    const complain = (message: string, at: string) => {
      context.addIssue({ code: 'custom', message, path: [at] });
    };
    for (const name of send === undefined ? ['agent', 'phone'] : []) {
      // Without the agent, all people would be called by the one that the path or the account happens to name.
      if (whole.uses.has(name) || rest.path.includes(`{${name}}`)) continue;
      complain(`the dial names no ${name}: write {${name}} here, or {{${name}}} in body`, 'path');
    }
    if (rest.callId.length === 0 && rest.location === undefined) complain('it is needed', 'callId');
    // If the key is not sent, a replayed dial would be a second call.
    const sendsKey = rest.idempotencyKey !== undefined || whole.uses.has('attempt');
    if (rest.idempotentFor !== undefined && !sendsKey) {
      complain(
        'it needs the key to be sent: idempotencyKey, or {{attempt}} in the body',
        'idempotentFor',
      );
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

/** What load the service can take; a campaign's own settings and services.yaml take precedence. */
export const limitsSchema = z.strictObject({
  /** Requests of all kinds: dials, polls and lists together. */
  requestsPerSecond: z.number().min(0.01).max(10_000).optional(),
  /** Calls in progress at once, over all campaigns. */
  calls: z.int().min(1).max(10_000).optional(),
  /** The longest time that a call can last, ms. */
  longestCall: duration.optional(),
  /**
   * A request is given up if its answer is not complete by then, ms; a dial that is given up leaves its call in doubt.
   */
  answerWithin: duration
    .refine((ms) => ms >= 100 && ms <= 60_000, 'it must be from 100ms to 1m')
    .optional(),
});
