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

const windows = z
  .array(z.object({ from: z.int().min(0), to: z.int().max(1_440) }))
  .describe('Minutes after midnight, ascending; empty: nobody is called');

/** The strictest hours of a week, by rules. */
const week = z.object({
  days: z
    .array(
      z.object({
        day: z.enum(WEEKDAYS),
        windows,
        by: z.array(z.string()).describe('Names of the rules that decide'),
      }),
    )
    .describe('Monday first'),
  holidays: windows.nullable().describe('null: public holidays are days like any other'),
  text: z.string().describe('E.g. Mon-Fri 09:00-20:00, Sat 10:00-17:00, Sun closed'),
  caps: z.array(z.string()).describe('Caps and silences, each as a clause: 3 calls per 24h'),
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
