import { z } from 'zod';
import { pageOf } from './common.ts';

/**
 * A list that was sent and is not in a campaign yet: `curl -T leads.csv ADDRESS/api/v1/uploads?name=leads.csv`, or the
 * raw bytes as the body of a POST. It is deleted when a campaign has taken it; else a day after it was sent or, in a
 * draft, after that was last changed.
 */
export const upload = z.object({
  id: z.string(),
  name: z.string().describe('As the file is called where it came from'),
  bytes: z.int(),
  at: z.int(),
  draft: z.string().nullable().describe('The draft that uses it'),
});
export type Upload = z.infer<typeof upload>;

export const uploads = pageOf(upload).extend({
  mostBytes: z.int().describe('The largest file that is taken'),
});

export const uploadQuery = z.object({
  name: z.string().max(1_000).default('list').describe('The name of the file; folders are cut off'),
});
