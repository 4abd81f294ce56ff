import { z } from 'zod';
import { LEAD_RESULTS } from '../domain/lead.ts';
import { profileError, readYaml } from './profile-errors.ts';
import { parsePath } from './read-fields.ts';
import { plainWord } from './words.ts';

/**
 * How one service speaks, ready to use: names as paths, words as sets and maps. The file
 * `campaigns/profiles/voice-agent.yaml` explains every key.
 */
export interface Profile extends z.output<typeof schema> {
  /** The file's own text: another text is another profile. */
  text: string;
}

/**
 * Reads a profile file.
 *
 * @param path for messages
 * @throws AppError `PROFILE_INVALID` (exit 2) with file:line:column, the key and the nearest known key
 */
export function loadProfile(text: string, path: string): Profile {
  const document = readYaml(text, path);
  const parsed = schema.safeParse(document.value);
  if (!parsed.success) throw profileError(path, document, parsed.error.issues, schema);
  return { ...parsed.data, text };
}

/** Results that a service's word can stand for; the others are decided by callsheet. */
const SAYABLE = LEAD_RESULTS.filter(
  (result) =>
    !['rejected', 'unconfirmed', 'no_result', 'suppressed', 'expired', 'cancelled'].includes(
      result,
    ),
);

const name = z
  .string()
  .regex(/^(\.|[^.\s]+(\.[^.\s]+)*)$/, 'it must be a name, a dotted name such as call.id, or .')
  .refine((text) => !text.split('.').includes('__proto__'), 'it must not contain __proto__')
  .transform(parsePath);
const names = z.array(name).min(1);
const field = name.refine((path) => path.length > 0, 'it must name a field');
const words = z.array(z.string()).transform((list) => new Set(list.map(plainWord)));
const header = z.string().regex(/^[\w-]+$/, 'it must be the name of a header');
const path = z.string().regex(/^\/[!-~]*$/, 'it must begin with / and have no blanks');

/** Keys are names; their order is the order in which they are tried. */
function namesTo<T extends z.ZodType>(value: T) {
  return z.record(z.string(), value).transform((record, context) =>
    Object.entries(record).map(([key, to]): readonly [z.output<typeof name>, z.output<T>] => {
      const parsed = name.safeParse(key);
      if (!parsed.success) context.addIssue({ code: 'custom', message: nameProblem, path: [key] });
      return [parsed.data ?? [], to];
    }),
  );
}
const nameProblem = 'its key must be a name or a dotted name such as duration.ms';

const read = { method: z.enum(['GET', 'POST']), path };
const write = { method: z.enum(['POST', 'PUT']), path };

const schema = z.strictObject({
  auth: z.strictObject({ header, prefix: z.string() }),
  agents: z.strictObject({
    list: z.strictObject({
      ...read,
      items: names,
      id: names,
      name: names,
      within: names,
      next: z.strictObject({
        values: namesTo(z.string().min(1)),
        links: names,
        more: names,
        page: z.strictObject({ at: names, send: z.string().min(1) }),
        pages: names,
        offset: z.strictObject({ at: names, send: z.string().min(1) }),
        total: names,
      }),
    }),
    create: z.strictObject({
      ...write,
      send: z.strictObject({ name: field, systemPrompt: field, voice: field }),
      within: names,
      id: names,
    }),
  }),
  dial: z.strictObject({
    ...write,
    send: z.strictObject({ phone: field, agent: field }),
    idempotencyKey: header,
    idempotentFor: z.never('sending a dial again is not supported yet; leave it out').optional(),
    within: names,
    callId: names,
    answers: z
      .record(
        z.string().regex(/^[345]\d\d$/, 'it must be an HTTP status from 300 to 599'),
        z.enum(['rejected', 'refused', 'unknown']),
      )
      .transform((rows) => new Map(Object.entries(rows).map(([at, kind]) => [Number(at), kind]))),
  }),
  analytics: z.strictObject({
    method: read.method,
    path: path.includes('{call_id}', 'it must contain {call_id}'),
    notYet: z.array(z.int().min(200).max(499)).transform((list) => new Set(list)),
    within: names,
    status: z.strictObject({ at: names, ended: words, processing: words, ignored: words }),
    outcome: z.strictObject({
      at: names,
      words: z
        .record(z.string(), z.enum(SAYABLE))
        .transform(
          (map) => new Map(Object.entries(map).map(([word, to]) => [plainWord(word), to])),
        ),
    }),
    transcript: z.strictObject({
      text: names,
      turns: names,
      role: names,
      say: names,
      agent: words,
      person: words,
      other: words,
    }),
    duration: namesTo(z.enum(['ms', 's', 'min'])),
    sentiment: z.strictObject({ at: names, label: names, score: names, scoreAt: names }),
    summary: names,
    recording: names,
    cost: names,
    costCurrency: names,
  }),
});
