import type { CallingRule } from '../../domain/calling/policy.ts';

/**
 * How well a figure is known, best first: `S` the text of the law, the regulator or the vendor was read; `L` by others who
 * quote it, law firms or the press; `T` from a table of the trade; `M` measured by callsheet; `J` a judgement of callsheet.
 */
export const GRADES = ['S', 'L', 'T', 'M', 'J'] as const;
export type Grade = (typeof GRADES)[number];

/** Figures with these grades are to be verified by whoever relies on them. */
export const WEAK_GRADES: readonly Grade[] = ['T', 'J'];

/** One figure of a rule file, as people read it. */
export interface Figure {
  /**
   * `hours`, `caps`, `afterConversation`, `afterRefusal`, `lists`, `consent`, `duties`, with the region: `US-FL hours`. The
   * value of a duty says what the caller has to do; callsheet cannot check it.
   */
  where: string;
  /** `Mon-Fri 09:00-20:00, Sat 10:00-17:00`, `3 calls per 24h`. */
  value: string;
  source: string;
  grade: Grade;
  /** The day on which the source was checked: `2026-11-23`. */
  checked: string;
}

/** A file of campaigns/rules, or one of the operator's own. */
export interface RuleFile {
  rule: CallingRule;
  /** One line on what it is. */
  about: string;
  /** Countries that it is made for, ISO 3166; empty: all. It holds for everybody in a campaign that names it. */
  appliesTo: readonly string[];
  /**
   * How old the newest file of a registry may be when somebody is called, ms; null: no limit. `registry` null: a file of
   * any registry will do. `byArea`: the registry is sold by area code, and every area of the people has to be there.
   */
  listAge: { ms: number; registry: string | null; byArea: boolean } | null;
  /** Whether the list must have a column that says that the person has consented. */
  consentRequired: boolean;
  /** A consent given longer ago counts as none, where the list has its date, ms; null: consent does not age. */
  consentMaxAgeMs: number | null;
  /** Names of shipped rules that it stands for: `everybody` for all people, `byCountry` each for its own countries. */
  parts?: { everybody: string; byCountry: readonly string[] };
  figures: readonly Figure[];
  /** Absolute. */
  path: string;
  /** Comes with callsheet. */
  shipped: boolean;
}
