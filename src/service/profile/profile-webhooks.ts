import { z } from 'zod';
import { isFieldPath, parsePath, type Path } from './read-fields.ts';
import { normalizeWord } from '../../text/normalize.ts';

/*
 * The section `webhooks` of a profile: what the service sends by itself, what it means, and how it proves
 * that it was the service. `campaigns/profiles/voice-agent.yaml` explains every key.
 */

/** What a delivery says of its call; a type that the profile does not name says nothing. */
export const EVENT_MEANINGS = [
  /** The line is down; what was said is read by a look. */
  'ended',
  /** The delivery holds what a look would find. */
  'analytics',
  /** The delivery holds fields that only events carry. */
  'lead_captured',
  'ignored',
] as const;

/** A signed time may differ from our clock by so many seconds. */
const TOLERANCE_S = 300;

const paths = z.array(
  z
    .string()
    .min(1)
    .transform((text, context): Path => {
      try {
        return parsePath(text);
      } catch (error) {
        const message = error instanceof Error ? error.message : 'it cannot be read';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
    }),
);
const header = z
  .string()
  .regex(/^[\w-]+$/, 'it must be the name of a header')
  .transform((name) => name.toLowerCase());

/** How a signature over parts of a delivery is carried; `encoding` is that of the signature. */
const inParts = (encoding: 'hex' | 'base64') => ({
  header,
  encoding: z.enum(['hex', 'base64']).default(encoding),
  /** What stands before the signature, e.g. `sha256=`. */
  prefix: z.string().default(''),
  /** Names within a header such as `t=1767625200,v0=6ffb...`. */
  fields: z
    .strictObject({ signature: z.string().min(1), timestamp: z.string().min(1).optional() })
    .optional(),
  /** The header that holds the time, where it is one of its own. */
  timestamp: header.optional(),
  unit: z.enum(['s', 'ms']).default('s'),
  /**
   * What is signed, with {body}, {timestamp} and {url} in it; {fields} instead of {body}: each name of a form
   * with its value behind it, sorted. The url is the public one, as the service was given it. Where only a field is
   * signed, {body.call_id}, only that is proved: the rest is a hint, as of an unsigned delivery.
   */
  signed: z
    .string()
    .regex(
      /\{(body(\.[^{}\s]+)?|fields)\}/,
      'it must contain {body}, {fields} or a field such as {body.call_id}',
    )
    .refine((signed) => !signed.includes('__proto__'), 'it must not contain __proto__')
    .default('{body}'),
  tolerance: z.int().min(1).max(86_400).default(TOLERANCE_S),
});

interface Timed {
  signed: string;
  timestamp?: string | undefined;
  fields?: { timestamp?: string | undefined } | undefined;
}

const isTimedAsSigned = ({ signed, timestamp, fields }: Timed) =>
  signed.includes('{timestamp}') === (timestamp !== undefined || fields?.timestamp !== undefined);
const TIMED_AS_SIGNED = {
  path: ['signed'],
  message: 'it must contain {timestamp} if, and only if, timestamp or fields.timestamp is there',
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
  z.strictObject({
    scheme: z.literal('standard'),
    tolerance: z.int().min(1).max(86_400).default(TOLERANCE_S),
  }),
  hmac,
  ed25519,
  /** A header that holds the secret itself. */
  z.strictObject({ scheme: z.literal('token'), header, prefix: z.string().default('') }),
  z.strictObject({ scheme: z.literal('none') }),
]);

export type SignatureRules = z.output<typeof signatureSchema>;

const webhooks = z.strictObject({
  /** The objects of a delivery in which every name is looked up. */
  within: paths.prefault(['.']),
  type: paths,
  /** Names a delivery for good, where no header does. */
  deliveryId: paths.prefault([]),
  time: paths.prefault([]),
  callId: paths,
  attemptKey: paths.prefault([]),
  phone: paths.prefault([]),
  agent: paths.prefault([]),
  /** By the event's type; `*` is every other one. */
  events: z
    .record(z.string(), z.enum(EVENT_MEANINGS))
    .transform(
      (map) =>
        new Map(
          Object.entries(map).map(([type, to]) => [type === '*' ? type : normalizeWord(type), to]),
        ),
    ),
  /** Where the fields of a captured lead are: an object. */
  lead: paths.prefault([]),
  /** Where the analytics are, in an event that holds them. */
  analytics: paths.prefault(['.']),
  signature: signatureSchema.default({ scheme: 'none' }),
  /** Addresses that deliveries come from; empty: any. */
  ips: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  /** Deliveries that are answered with 200 and dropped unread, also where they are longer than others may be. */
  unneeded: z
    .strictObject({
      types: z
        .array(z.string().min(1).max(100))
        .min(1)
        .transform((list) => new Set(list.map(normalizeWord))),
      /** A longer one is refused; MB of 1,048,576 bytes. */
      largest: z.int().min(1).max(256).default(32),
    })
    .optional(),
});

export const webhooksSchema = webhooks.superRefine(
  ({ unneeded, events, type, within }, context) => {
    if (unneeded === undefined) return;
    const complain = (message: string, at: string[]) => {
      context.addIssue({ code: 'custom', message, path: ['unneeded', ...at] });
    };
    for (const word of unneeded.types) {
      const meaning = events.get(word) ?? events.get('*') ?? 'ignored';
      if (meaning !== 'ignored')
        complain(`events says that ${word} is needed: ${meaning}`, ['types']);
    }
    // It is looked for while the bytes go by, and an expression needs the whole of them.
    if (![...type, ...within].every(isFieldPath)) {
      complain('it goes with names in type and within, not with expressions', []);
    }
  },
);

export type WebhookRules = z.output<typeof webhooksSchema>;
