import { z } from 'zod';
import { header as headerName, names, namesOrNone, wordsTo } from './profile-fields.ts';
import { isFieldPath } from './read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';

/*
 * The section `webhooks` of a profile: what the service posts, what it means, and how it is signed.
 * `campaigns/profiles/voice-agent.yaml` explains every key.
 */

/** What an event means for its call. */
export const EVENT_MEANINGS = [
  /** The call has ended; a poll reads the analytics. */
  'ended',
  /** The delivery contains what a poll would find. */
  'analytics',
  /** The delivery contains a captured lead. */
  'lead_captured',
  'ignored',
] as const;

/** How far a signed time may differ from our clock, in seconds. */
const tolerance = z.int().min(1).max(86_400).default(300);

/** Lower case, as Node gives the names of headers. */
const header = headerName.transform((name) => name.toLowerCase());

/**
 * How a delivery carries a signature over its parts, or several with commas between them (one must be right);
 * `encoding` is the default encoding of a signature.
 */
const inParts = (encoding: 'hex' | 'base64') => ({
  header,
  encoding: z.enum(['hex', 'base64']).default(encoding),
  /** The text before the signature, e.g. `sha256=`. */
  prefix: z.string().default(''),
  /** The names used within a header that holds several values, such as `t=1767625200,v0=6ffb...`. */
  fields: z
    .strictObject({ signature: z.string().min(1), timestamp: z.string().min(1).optional() })
    .optional(),
  /** The header with the time, if the time has a header of its own. */
  timestamp: header.optional(),
  /** `iso`: ISO 8601, without an offset in UTC. */
  unit: z.enum(['s', 'ms', 'iso']).default('s'),
  /**
   * The text that is signed, with {body}, {timestamp} and {url} filled in. {fields} can be used in place of {body}:
   * each name of a form followed by its value, sorted. {url} is the public address that the service posts to. If only a
   * field is signed, as with {body.call_id}, only that field is proved, and the rest is a hint, as in an unsigned
   * delivery.
   */
  signed: z
    .string()
    .regex(
      /\{(body(\.[^{}\s]+)?|fields)\}/,
      'it must contain {body}, {fields} or a field such as {body.call_id}',
    )
    .refine((signed) => !signed.includes('__proto__'), 'it must not contain __proto__')
    .default('{body}'),
  tolerance,
});

type InParts = z.output<z.ZodObject<ReturnType<typeof inParts>>>;
const isTimedAsSigned = ({ signed, timestamp, fields }: InParts) =>
  signed.includes('{timestamp}') === (timestamp !== undefined || fields?.timestamp !== undefined);
const TIMED_AS_SIGNED = {
  path: ['signed'],
  message:
    'give both or neither: {timestamp} in this text, and timestamp or fields.timestamp, which says where the time is',
};

const hmac = z
  .strictObject({
    scheme: z.literal('hmac'),
    algorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256'),
    ...inParts('hex'),
  })
  .refine(isTimedAsSigned, TIMED_AS_SIGNED);

/** Ed25519 (RFC 8032): the secret is the service's public key, 32 bytes in Base64. */
const ed25519 = z
  .strictObject({ scheme: z.literal('ed25519'), ...inParts('base64') })
  .refine(isTimedAsSigned, TIMED_AS_SIGNED);

const signatureSchema = z.union([
  /** Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  z.strictObject({ scheme: z.literal('standard'), tolerance }),
  hmac,
  ed25519,
  /** A header that contains the secret itself. */
  z.strictObject({ scheme: z.literal('token'), header, prefix: z.string().default('') }),
  z.strictObject({ scheme: z.literal('none') }),
]);

export type SignatureRules = z.output<typeof signatureSchema>;

const webhooks = z.strictObject({
  /** The objects of a delivery in which fields are looked up. */
  within: names.default([[]]),
  type: namesOrNone.unwrap(),
  /** The id of a delivery in its body, for services that send no id in a header. */
  deliveryId: namesOrNone,
  time: namesOrNone,
  callId: namesOrNone.unwrap(),
  attemptKey: namesOrNone,
  phone: namesOrNone,
  agent: namesOrNone,
  /** What each type of event means; `*` stands for every other type. See `WordMap`. */
  events: wordsTo(z.enum(EVENT_MEANINGS)),
  lead: namesOrNone,
  /** The object with the analytics, in an event that contains them. */
  analytics: names.default([[]]),
  signature: signatureSchema.default({ scheme: 'none' }),
  /** IP addresses that deliveries come from; empty: any. */
  ips: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  /** Deliveries that are answered 200 and dropped unread; they may be longer than others. */
  unneeded: z
    .strictObject({
      types: z
        .array(z.string().min(1).max(100))
        .min(1)
        .transform((list) => new Set(list.map(normalizeWord))),
      /** MiB. A longer delivery is refused. */
      largest: z.int().min(1).max(256).default(32),
    })
    .optional(),
});

export const webhooksSchema = webhooks.superRefine(
  ({ unneeded, events, type, within }, context) => {
    if (unneeded === undefined) return;
    const complain = (message: string, at: string[]) =>
      context.addIssue({ code: 'custom', message, path: ['unneeded', ...at] });
    for (const word of unneeded.types) {
      const meaning = events.get(word) ?? 'ignored';
      if (meaning !== 'ignored')
        complain(`events says that ${word} is needed: ${meaning}`, ['types']);
    }
    // The type is found while the bytes are received; an expression would need the whole body.
    if (![...type, ...within].every(isFieldPath)) {
      complain('it goes with names in type and within, not with expressions', []);
    }
  },
);

export type WebhookRules = z.output<typeof webhooksSchema>;
