import { z } from 'zod';
import { pageOf } from './common.ts';

/** A rule file: one that comes with callsheet, or the operator's own in campaigns/rules. */
export const rule = z.object({
  name: z.string(),
  about: z.string().describe('One line on what it is'),
  appliesTo: z.array(z.string()).describe('Countries it is made for, ISO 3166; none: everywhere'),
  regions: z.array(z.string()).describe('Regions with stricter limits of their own, e.g. US-FL'),
  /** The latest day on which one of its sources was checked, `2026-11-23`; null: none is told. */
  checked: z.string().nullable(),
  shipped: z.boolean().describe("False: the operator's own"),
  path: z.string(),
});
export type Rule = z.infer<typeof rule>;
export const rules = pageOf(rule);

export const ruleParams = z.object({ name: z.string().min(1).max(64) });
export const ruleQuery = z.object({
  region: z.string().max(20).optional().describe('For people of this country or state'),
});

export const ruleDetail = rule.extend({
  /** What `callsheet rules show` prints, line by line, for a fixed-width face. */
  lines: z.array(z.string()),
  figures: z.array(
    z.object({
      where: z.string().describe('What it is about, with the region: `US-FL hours`'),
      value: z.string(),
      source: z.string(),
      grade: z.enum(['S', 'L', 'T', 'M', 'J']),
      weak: z.boolean().describe('To be verified before somebody relies on it'),
      checked: z.string(),
    }),
  ),
});
export type RuleDetail = z.infer<typeof ruleDetail>;

/** Settings as `set` takes them; what is left out has its default. */
export const weekSettings = z.object({
  rules: z
    .string()
    .max(1_000)
    .optional()
    .describe('Names, separated by commas; always: none; left out: those that hold by default'),
  live: z.boolean().default(true).describe('Real people are called, which the default depends on'),
  hours: z
    .object({
      from: z.string().max(5),
      to: z.string().max(5),
      days: z.string().max(100).optional().describe('E.g. mon-fri; left out: all'),
    })
    .nullable()
    .default(null)
    .describe("The operator's own hours"),
  holidays: z.string().max(5_000).default('none').describe('2026-12-24,2026-12-31 or none'),
  timezone: z.string().min(1).max(100),
  region: z
    .string()
    .max(20)
    .optional()
    .describe('Of the people, ISO 3166: a country or state; left out: what holds for everybody'),
});

const windows = z
  .array(z.object({ from: z.int().min(0), to: z.int().max(1_440) }))
  .describe('Minutes after midnight, ascending; empty: nobody is called');

/** The strictest hours of a week, by the rules and the operator's own. */
export const week = z.object({
  /** Monday first. */
  days: z.array(
    z.object({
      day: z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
      windows,
      by: z.array(z.string()).describe('What decides: names of rules, `hours`'),
    }),
  ),
  /** The windows of public holidays; null: they are days like any other. */
  holidays: windows.nullable(),
  /** The operator's own holidays, `2026-12-24`: nobody is called. */
  closedOn: z.array(z.string()),
  /** E.g. `Mon-Fri 09:00-20:00, Sat 10:00-17:00, Sun closed`. */
  text: z.string(),
  /** Caps and silences, each as a clause: `3 calls per 24h`. */
  caps: z.array(z.string()),
  /** True: rules count in each person's own time, the operator's hours in `timezone`; shown as if those were the same. */
  mixesZones: z.boolean(),
});
export type Week = z.infer<typeof week>;
