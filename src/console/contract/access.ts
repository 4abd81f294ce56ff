import { z } from 'zod';
import { marked } from '../../views/fields.ts';

import { pageQuery, role } from './common.ts';

export const session = z.object({
  who: z.string(),
  role,
  /** May read what was said in calls, and whole numbers. */
  transcripts: z.boolean(),
  how: z.enum(['link', 'user', 'token']),
  /** IANA zone of the machine. */
  timezone: z.string(),
  version: z.string(),
  /** Absolute path of the database, so that nobody mistakes one for another. */
  database: z.string(),
  /** Whether campaigns that are started here are called by this process, or by `serve` at their schedule. */
  dials: z.enum(['here', 'serve']),
});
export type Session = z.infer<typeof session>;

export const login = z.object({
  name: z.string().min(1).max(64),
  password: z.string().min(1).max(1_000),
});

export const signIn = z.object({
  names: z
    .boolean()
    .describe(
      'Name and password are asked for; false: a link of `callsheet console --link` lets in',
    ),
});
export type SignIn = z.infer<typeof signIn>;

export const ownPassword = z.object({
  old: z.string().min(1).max(1_000),
  password: z.string().min(1).max(1_000),
});

const name = z.string().min(1).max(64);
const transcripts = z.boolean().describe('A viewer may read what was said, and whole numbers');

export const user = z.object({ name, role, transcripts, createdAt: z.int() });
export type User = z.infer<typeof user>;
export const newUser = z.object({
  name,
  role,
  transcripts: transcripts.default(false),
  password: z.string().min(1).max(1_000),
});
export const userRole = z.object({ role, transcripts: transcripts.default(false) });
export const newPassword = z.object({ password: z.string().min(1).max(1_000) });

export const token = z.object({
  name,
  role,
  transcripts,
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
});
export type Token = z.infer<typeof token>;
export const newToken = z.object({ name, role, transcripts: transcripts.default(false) });
export const madeToken = token.extend({ token: z.string().describe('Shown this once') });
export type MadeToken = z.infer<typeof madeToken>;

export const nameParams = z.object({ name });

export const logQuery = pageQuery.extend({
  text: z.string().max(200).optional().describe('Occurs in an entry, or in its sentence'),
  who: z.string().max(100).optional(),
  what: z.string().max(100).optional(),
  from: z.coerce.number().int().optional().describe('Not before this moment'),
  to: z.coerce.number().int().optional().describe('Before this moment'),
});

export const logEntry = z.object({
  id: z.int(),
  text: z.string().describe('As a sentence, e.g. ann paused the campaign "spring".'),
  at: z.int(),
  who: z.string(),
  what: z.string(),
  target: z.string().nullable(),
  outcome: z.string(),
  detail: z.record(z.string(), marked('open', z.unknown())),
});
export type LogEntry = z.infer<typeof logEntry>;

export const logChoices = z.object({
  who: z.array(z.string()).describe('Everybody who is in it'),
  what: z
    .array(z.object({ what: z.string(), text: z.string().describe('e.g. paused a campaign') }))
    .describe('Every kind of entry that is in it'),
});
export type LogChoices = z.infer<typeof logChoices>;
