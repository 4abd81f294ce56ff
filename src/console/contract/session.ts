import { z } from 'zod';
import { role } from './common.ts';

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
