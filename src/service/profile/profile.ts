import { z } from 'zod';
import { analyticsSchema, callsSchema } from './profile-analytics.ts';
import { dialSchema, limitsSchema, slotsSchema } from './profile-dial.ts';
import { profileError, readYaml } from './profile-errors.ts';
import { expression, field, header, names, namesOrNone, url } from './profile-fields.ts';
import { bodyOf, bodyWith, listWith, write } from './profile-lists.ts';
import { webhooksSchema } from './profile-webhooks.ts';

/**
 * A profile, ready to use: fields as paths, words as sets and maps. `campaigns/profiles/README.md` explains every key.
 */
export interface Profile extends z.output<typeof profileSchema> {
  /** The text of the file: part of the service's fingerprint. */
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
  const parsed = profileSchema.safeParse(document.value);
  if (!parsed.success) throw profileError(path, document, parsed.error.issues, profileSchema);
  return { ...parsed.data, text };
}

/** How the key is sent: in a header, or a key `user:password` as HTTP Basic (RFC 7617). */
const auth = z
  .strictObject({
    header: header.optional(),
    prefix: z.string().optional(),
    basic: z.literal(true).optional(),
  })
  .transform(({ header: name, prefix, basic }, context) => {
    if (basic !== undefined && (name ?? prefix) !== undefined) {
      const message = 'basic stands alone: it is the Authorization header';
      context.addIssue({ code: 'custom', message });
    }
    for (const [key, value] of Object.entries({ header: name, prefix })) {
      if ((basic ?? value) !== undefined) continue;
      context.addIssue({ code: 'custom', message: 'it is needed', path: [key] });
    }
    return { basic: basic ?? false, header: name ?? 'Authorization', prefix: prefix ?? 'Basic ' };
  });

const createFills = ['name', 'systemPrompt', 'voice'];
const create = z
  .strictObject({
    ...write,
    send: z.strictObject({ name: field, systemPrompt: field, voice: field }).optional(),
    body: bodyWith((name) => createFills.includes(name), createFills.join(', ')).optional(),
    within: names.default([[]]),
    id: names,
  })
  .transform(({ send, body, ...rest }, context) => ({
    ...rest,
    body: bodyOf({ send, body }, context, ['voice']),
  }));

/** Names of headers that carry a secret. */
const SECRET = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** Headers that callsheet or HTTP itself sets. */
const TAKEN =
  /^(accept|connection|content-.*|date|expect|host|idempotency-key|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** Why a profile may not set a header, as a clause; undefined: it may. */
function whyNotSet(name: string, value: string, taken: readonly (string | undefined)[]) {
  const isSame = (each: string | undefined) => each?.toLowerCase() === name.toLowerCase();
  if (TAKEN.test(name) || taken.some(isSame)) return 'callsheet sets this header itself';
  if (!SECRET.test(name) && !/^(basic|bearer)\s/i.test(value)) return undefined;
  return 'a secret stands in no profile: the key goes into `auth` and keyEnv of services.yaml';
}

const fields = z.strictObject({
  /** The base address; an address in services.yaml or a flag takes precedence. */
  url: url.optional(),
  auth,
  /** Sent with every request, e.g. the version of an API. */
  headers: z
    .record(header, z.string().regex(/^[!-~]+( +[!-~]+)*$/, 'it must be plain text'))
    .default({}),
  agents: z.strictObject({
    list: z.strictObject({
      ...listWith([]),
      id: names,
      name: namesOrNone,
      systemPrompt: namesOrNone,
      /** Items for which this condition is not true, or cannot be computed, are not agents. */
      only: expression.optional(),
    }),
    create: create.optional(),
  }),
  dial: dialSchema,
  analytics: analyticsSchema,
  calls: callsSchema.optional(),
  slots: slotsSchema.optional(),
  limits: limitsSchema.prefault({}),
  webhooks: webhooksSchema.optional(),
});

/** The schema of a profile file. */
export const profileSchema = fields.superRefine(({ headers, auth: key, dial }, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = whyNotSet(name, value, [key.header, dial.idempotencyKey]);
    const at = { path: ['headers', name], params: { isKey: true } };
    if (message !== undefined) context.addIssue({ code: 'custom', message, ...at });
  }
});
