import { z } from 'zod';

import { isPersonField, NAMINGS, PERSON_FIELDS } from '../../domain/lists/person.ts';
import { compileBody, slotsIn, type Body, type BodyTree } from '../http/body.ts';
import {
  duration,
  field,
  header,
  names,
  namesOrNone,
  namesTo,
  pathWith,
  wordsTo,
} from './profile-fields.ts';
import { writePath, type FieldPath } from './read-fields.ts';

/** Schema parts that all operations of a profile share, and lists with their pages. */

const as = z.enum(['json', 'form']).default('json');
export const read = { method: z.enum(['GET', 'POST']), path: pathWith(), as };
export const write = { method: z.enum(['POST', 'PUT']), path: pathWith(), as };

/** A template of a JSON body; every `{{name}}` in it must be known. */
export function bodyWith(isKnown: (name: string) => boolean, known: string) {
  const tree: z.ZodType<BodyTree> = z.lazy(() =>
    z.union(
      [z.string(), z.number(), z.boolean(), z.null(), z.array(tree), z.record(z.string(), tree)],
      'it must be text, a number, true, false, null, a list or an object',
    ),
  );
  return z.record(z.string(), tree).transform((value, context) => {
    for (const { at, name } of slotsIn(value)) {
      if (isKnown(name)) continue;
      const message = `{{${name}}} is not known here; known: ${known}`;
      context.addIssue({ code: 'custom', message, path: at });
    }
    return compileBody(value);
  });
}

/**
 * The body that an operation sends: `body`, or the short form `send`, which only assigns values to fields.
 * @param mayLack names whose fields are left out when there is no value
 */
export function bodyOf(
  { body: whole, send }: { body?: Body | undefined; send?: Record<string, FieldPath> | undefined },
  context: z.RefinementCtx,
  mayLack: readonly string[] = [],
): Body {
  if ((send === undefined) === (whole === undefined)) {
    const message = 'it needs either send (the short form) or body';
    context.addIssue({ code: 'custom', message });
  }
  if (whole !== undefined) return whole;
  const body: Record<string, unknown> = {};
  for (const [name, at] of Object.entries(send ?? {})) {
    writePath(body, at, `{{${name}${mayLack.includes(name) ? '?' : ''}}}`);
  }
  return compileBody(body as BodyTree);
}

const sentBack = { at: names, send: z.string().min(1) };
/** The number of items on a full page. */
const size = z.int().min(1).max(10_000);

/**
 * How the next page is found, in this order: a link in the Link header or the body; a value to send back (cursor, page,
 * offset); a field of the last item (time window); a page number that callsheet counts; the answer's own page number or
 * offset, increased. All left out: the first page is the only one.
 */
const next = z.strictObject({
  /** Whether cursor, page or offset is sent in the query or in the body. */
  in: z.enum(['query', 'body']).default('query'),
  values: namesTo(z.string().min(1)).default([]),
  links: namesOrNone,
  more: namesOrNone,
  page: z.strictObject(sentBack).optional(),
  pages: namesOrNone,
  offset: z.strictObject(sentBack).optional(),
  total: namesOrNone,
  window: z.strictObject({ ...sentBack, size }).optional(),
  /** Pages `from`, `from` + 1 ... until one has fewer than `size` items; `with` is the parameter for the size. */
  count: z
    .strictObject({
      send: z.string().min(1),
      with: z.string().min(1).optional(),
      size,
      from: z.int().min(0).max(1).default(1),
    })
    .optional(),
});

/**
 * The schema of an operation that reads a list; the caller adds the fields of an item.
 * @param fills names that the body may use as `{{name}}`
 */
export function listWith(fills: readonly string[]) {
  return {
    ...read,
    /** Sent with POST; with `next.in: body`, cursor, page or offset is added to it. */
    body: bodyWith((name) => fills.includes(name), fills.join(', ') || 'none').optional(),
    items: names,
    within: names.default([[]]),
    next: next.prefault({}),
  };
}

/**
 * What an answer means for its dial. `rejected`: this call is refused for good. `refused`: no call was made, and the
 * lead may be dialled again. `pause`: no call was made, and every other dial would end the same way, so the campaign
 * pauses.
 */
const meaning = z.enum(['rejected', 'refused', 'unknown', 'pause']);
/**
 * What an error word may mean besides. `invalid_number`: rejected, because no phone has this number, so that the
 * person's next number is called. A status alone never says that: it may blame what is the same in every dial.
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
    /** How prompts name variables, and which the service fills itself; `none`: the service has no variables. */
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
    const complain = (message: string, at: string) =>
      context.addIssue({ code: 'custom', message, path: [at] });
    for (const name of send === undefined ? ['agent', 'phone'] : []) {
      // Without the agent, another agent of the account could make the calls.
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
  /** Of these dials; `dialsPerSecond` of services.yaml wins. */
  dialsPerSecond: z.number().min(0.01).max(10_000).optional(),
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
