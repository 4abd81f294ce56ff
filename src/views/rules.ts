import { z } from 'zod';
import { WEEKDAYS } from '../domain/calling/policy.ts';
import { pageOf } from './fields.ts';

/** A rule file: one that comes with callsheet, or the operator's own in campaigns/rules. */
const rule = z.object({
  name: z.string(),
  about: z.string().describe('One line on what it is'),
  appliesTo: z.array(z.string()).describe('Countries it is made for, ISO 3166; none: everywhere'),
  regions: z.array(z.string()).describe('Regions with stricter limits of their own, e.g. US-FL'),
  checked: z
    .string()
    .nullable()
    .describe('The latest day on which one of its sources was checked; null: none is told'),
  shipped: z.boolean().describe("False: the operator's own"),
  path: z.string(),
});
export type Rule = z.infer<typeof rule>;
export const rules = pageOf(rule);
export type Rules = z.infer<typeof rules>;

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
export type WeekSettings = z.infer<typeof weekSettings>;

const windows = z
  .array(z.object({ from: z.int().min(0), to: z.int().max(1_440) }))
  .describe('Minutes after midnight, ascending; empty: nobody is called');

/** The strictest hours of a week, by rules and the operator's own. */
export const week = z.object({
  days: z
    .array(
      z.object({
        day: z.enum(WEEKDAYS),
        windows,
        by: z.array(z.string()).describe('What decides: names of rules, `hours`'),
      }),
    )
    .describe('Monday first'),
  holidays: windows.nullable().describe('null: public holidays are days like any other'),
  closedOn: z.array(z.string()).describe("The operator's own holidays: nobody is called"),
  text: z.string().describe('E.g. Mon-Fri 09:00-20:00, Sat 10:00-17:00, Sun closed'),
  caps: z.array(z.string()).describe('Caps and silences, each as a clause: 3 calls per 24h'),
  mixesZones: z
    .boolean()
    .describe(
      "Rules count in each person's own time, the operator's hours in `timezone`; shown as if those were the same",
    ),
});
export type Week = z.infer<typeof week>;

/** Rules with their figures and sources, and what they come to together. */
export const shownRules = z.object({
  rules: z.array(
    rule.extend({
      listAge: z
        .object({ ms: z.number(), registry: z.string().nullable(), byArea: z.boolean() })
        .nullable()
        .describe('How old the newest file of a registry may be; registry null: of any'),
      consentRequired: z.boolean(),
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
    }),
  ),
  region: z.string().nullable().describe('Of the people; null: what holds for everybody'),
  week,
  lines: z.array(z.string()).describe('The same as text, for a fixed-width font'),
});
export type ShownRules = z.infer<typeof shownRules>;

/** Rule files in order. */
export const checkedRules = z.array(
  z.object({ path: z.string(), warnings: z.array(z.string()).describe('Weak figures') }),
);
