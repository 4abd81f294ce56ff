import { z } from 'zod';
import { exitCode, name, text } from './fields.ts';

/** What callsheet says of itself: how it was set up, what it needs, and copies of its database. Paths are absolute. */

/** What was found of one thing that callsheet needs. */
export const finding = z.object({
  what: z.string(),
  state: z.enum(['ok', 'warn', 'problem']).describe('warn: calls are made all the same'),
  detail: text,
  next: text.nullable().describe('The next step; null: nothing is to be done'),
  exitCode: exitCode.describe('How `doctor` ends by it'),
});
export type Finding = z.infer<typeof finding>;
export const findings = z.array(finding);

/** What was found when a service was examined: the result of the job. */
export const examination = z.object({ findings });
export type Examination = z.infer<typeof examination>;

/** How a test notice came to each receiver. */
export const triedNotices = z.array(
  z.object({
    to: z.string().describe('The receiver, without secrets'),
    on: z.array(z.string()).describe('The events that it gets'),
    ok: z.boolean(),
    why: text.nullable().describe('Why it did not come; null: it came'),
  }),
);

/** A copy of the database. */
export const backup = z.object({
  database: z.string(),
  file: z.string(),
  databaseId: z.string().describe('The dial journal has the same'),
  campaigns: z.int(),
  leads: z.int(),
  attempts: z.int(),
});
export type Backup = z.infer<typeof backup>;

export const restored = backup.extend({
  recovered: z.int().describe('Calls since the backup, from the dial journal: now unknown'),
  keptAs: z.string().nullable().describe('The database that was there; null: none was'),
});

export const begun = z.object({
  home: z.string(),
  files: z.array(name).describe('That were written'),
  campaign: name,
});
