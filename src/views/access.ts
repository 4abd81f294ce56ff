import { z } from 'zod';
import { historyEntry, moment, pageOf } from './fields.ts';

export const role = z.enum(['viewer', 'operator', 'admin']);
export type Role = z.infer<typeof role>;

/** The name of a user or token. */
export const accessName = z.string().min(1).max(64);
export const transcripts = z
  .boolean()
  .describe('May read what was said in calls, and whole numbers: a viewer only if it was given');

export const session = z.object({
  who: z.string(),
  role,
  transcripts,
  how: z.enum(['link', 'user', 'token']),
  timezone: z.string().describe('IANA zone of the machine'),
  version: z.string(),
  database: z
    .string()
    .describe('The end of its path, so that nobody mistakes one for another: data/callsheet.db'),
  dials: z
    .enum(['here', 'serve'])
    .describe('Who calls campaigns that are started here: this process, or `serve` by schedule'),
});
export type Session = z.infer<typeof session>;

export const signIn = z.object({
  names: z
    .boolean()
    .describe('Name and password are asked for; false: `callsheet console --link` lets in'),
});
export type SignIn = z.infer<typeof signIn>;

export const user = z.object({
  name: accessName,
  role,
  transcripts,
  createdAt: moment,
  passwordAt: moment.describe('When the password was last set'),
});
export type User = z.infer<typeof user>;
export const users = pageOf(user);
export type Users = z.infer<typeof users>;

/** A token of a program; its text is known to nobody but its holder. */
export const token = user
  .omit({ passwordAt: true })
  .extend({ lastUsedAt: moment.nullable().describe('To the minute') });
export type Token = z.infer<typeof token>;
export const tokens = pageOf(token);
export type Tokens = z.infer<typeof tokens>;
export const madeToken = token.extend({ token: z.string().describe('Shown this once') });
export type MadeToken = z.infer<typeof madeToken>;

/** Who did what in the console. */
export const logEntry = historyEntry.extend({
  id: z.int(),
  text: z.string().describe('As a sentence, e.g. ann paused the campaign "spring".'),
  target: z.string().nullable(),
  outcome: z.string(),
});
export type LogEntry = z.infer<typeof logEntry>;
export const log = pageOf(logEntry);
export type Log = z.infer<typeof log>;

export const logChoices = z.object({
  who: z.array(z.string()).describe('Everybody who is in it'),
  what: z
    .array(z.object({ what: z.string(), text: z.string().describe('e.g. paused a campaign') }))
    .describe('Every kind of entry that is in it'),
});
export type LogChoices = z.infer<typeof logChoices>;

export const consoleAddresses = z.object({
  url: z.string(),
  link: z.string().nullable().describe('Lets one person in, once; null: there are users'),
  openapi: z.string(),
});

/** Where `serve` is reached. */
export const served = z.object({
  webhooks: z.array(
    z.object({
      service: z.string(),
      url: z.string(),
      signed: z.boolean(),
      how: z.string().describe('How a delivery proves that it is genuine'),
    }),
  ),
  console: consoleAddresses.nullable(),
});
