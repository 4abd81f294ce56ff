import { z } from 'zod';
import { role } from './common.ts';

const name = z.string().min(1).max(64);
const transcripts = z.boolean().describe('A viewer may read what was said, and whole numbers');

export const user = z.object({ name, role, transcripts, createdAt: z.int() });
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
export const newToken = z.object({ name, role, transcripts: transcripts.default(false) });
export const madeToken = token.extend({ token: z.string().describe('Shown this once') });

export const nameParams = z.object({ name });

export const logEntry = z.object({
  id: z.int(),
  at: z.int(),
  who: z.string(),
  what: z.string(),
  target: z.string().nullable(),
  outcome: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
