/**
 * When and how often people may be called: the rules that a campaign has chosen, composed with the operator's own
 * settings. Plain data: it is stored with the campaign's settings, and every claim decides by it alone.
 */

/** Weekdays in the order of ISO 8601. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * The windows of one day as minutes after midnight on the wall clock, half-open `[from, to)`: 0 to 1440, ascending, not
 * overlapping. Empty: nobody is called on that day.
 */
export type DayWindows = readonly (readonly [from: number, to: number])[];

/** The windows of a week in the person's own time. */
export interface WeekHours {
  week: Readonly<Record<Weekday, DayWindows>>;
  /** The windows of public holidays, whatever weekday they are; null: holidays are days like any other. */
  holidays: DayWindows | null;
}

/** At most `calls` attempts to one number within any period of this length. */
export interface Cap {
  /** At least 1. */
  calls: number;
  perMs: number;
}

/** What limits calls to one person; null or empty: no limit. */
export interface CallingLimits {
  hours: WeekHours | null;
  caps: readonly Cap[];
  /** No call for this long after a conversation (a call whose result is `answered`), counted from its end, ms. */
  afterConversationMs: number | null;
  /**
   * No call for this long after a conversation in which the person refused such calls (`refusalHeard`), counted from
   * its end, ms. A call that was rejected without a word is no refusal.
   */
  afterRefusalMs: number | null;
}

export interface CallingRule extends CallingLimits {
  /** The name of its file, e.g. `us-federal`. */
  name: string;
  /** Stricter limits by region, e.g. `US-FL`: they hold besides the rule's own for people with that region. */
  regions: Readonly<Record<string, CallingLimits>>;
  /** ISO 3166 codes of the countries for whose people alone it holds; left out: it holds for everybody. */
  only?: readonly string[];
  /** A consent that was given longer ago counts as none, ms; left out: consent does not age. */
  consentMaxAgeMs?: number;
}

/** The operator's own hours, in one time zone for all people. */
export interface OperatorHours {
  days: readonly Weekday[];
  /** Minutes after midnight, 0 to 1439. */
  from: number;
  /** Minutes after midnight, 1 to 1440; at or below `from` it means the next day. The window belongs to the day it begins. */
  to: number;
  /** IANA name: the campaign's `timezone`. */
  timezone: string;
}

/** Corrects the time-zone data of Node for one zone, from a moment on. */
export interface ZoneOverride {
  zone: string;
  /** From this moment on, epoch ms. */
  from: number;
  /** Up to this moment, exclusive, epoch ms; left out: for good. */
  until?: number;
  /** Its offset from UTC all year, ms; or the IANA name of a zone whose clock it keeps. */
  offsetMs: number | { sameAs: string };
  /** The version of the time-zone data that knows it, e.g. `2026a`: from that version on the override does nothing. */
  fixedIn: string;
}

export interface CallingPolicy {
  /** Composed by the strictest: every rule has to allow a call. Empty: `always`, no calling hours and no caps. */
  rules: readonly CallingRule[];
  hours: OperatorHours | null;
  /** Further holidays for everybody, `2026-12-24`. */
  holidays: readonly string[];
  /** Nobody is called before this moment on the wall of a zone, `2026-12-01 09:00`; left out: at any time. */
  notBefore?: { at: string; timezone: string };
  /** People whose time zone is not known: `skip` calls them never, else the zones that are assumed for them. */
  unknownZones: 'skip' | readonly string[];
  /** The regions of the zones that are assumed: their public holidays hold. Default none. */
  unknownRegions?: readonly string[];
  zoneOverrides: readonly ZoneOverride[];
  /** A call begins at least this long before a window closes, ms: the time that the phone may ring, and 60 s. */
  marginMs: number;
}

/** Why a person must not be called at a moment, for messages. */
export interface Hold {
  /** The earliest moment at which this may no longer hold, epoch ms; null: only after somebody has changed something. */
  until: number | null;
  /** What decides: the name of a rule (`us-states`), with its region (`us-states US-FL`), or a key of the campaign file
   * (`hours`, `holidays`, `notBefore`, `zones.unknown`, `retry`). */
  by: string;
  /** A clause for people: `outside Mon-Fri 09:00-20:00 (it is Sat 21:14 in America/New_York)`. */
  why: string;
}

/** The `reason` of a lead that is held back. */
export function heldBy({ by, why }: Pick<Hold, 'by' | 'why'>): string {
  return `held by ${by}: ${why}`;
}

/** A week in one line: `Mon-Fri 09:00-20:00, Sat 10:00-17:00, Sun closed, holidays closed`. */
export function weekText({ week, holidays }: WeekHours): string {
  const groups: { first: string; last: string; windows: string }[] = [];
  for (const day of WEEKDAYS) {
    const windows = windowsText(week[day]);
    const last = groups.at(-1);
    if (last?.windows === windows) last.last = day;
    else groups.push({ first: day, last: day, windows });
  }
  const days = groups.map(({ first, last, windows }) =>
    first === last ? `${title(first)} ${windows}` : `${title(first)}-${title(last)} ${windows}`,
  );
  return [...days, ...(holidays === null ? [] : [`holidays ${windowsText(holidays)}`])].join(', ');
}

/** `10:00-13:00 14:00-20:00`, or `closed`. */
export function windowsText(windows: DayWindows): string {
  if (windows.length === 0) return 'closed';
  return windows.map(([from, to]) => `${clockText(from)}-${clockText(to)}`).join(' ');
}

/** Minutes after midnight as `09:00`; 1440 is `24:00`. */
export function clockText(minutes: number): string {
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The first letter as a capital: `mon` as `Mon`. */
export function title(day: string): string {
  return `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`;
}

/** Weekdays with ranges of three and more drawn together: `mon-wed,fri`. */
export function formatDays(days: readonly Weekday[]): string {
  const runs: Weekday[][] = [];
  for (const day of WEEKDAYS.filter((each) => days.includes(each))) {
    const run = runs.at(-1);
    const before = WEEKDAYS[WEEKDAYS.indexOf(day) - 1];
    if (run !== undefined && run.at(-1) === before) run.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${run[0] ?? ''}-${run.at(-1) ?? ''}` : run.join(',')))
    .join(',');
}

/** The same for people: `Mon-Wed, Fri`. */
export function daysText(days: readonly Weekday[]): string {
  return formatDays(days)
    .replaceAll(/[a-z]{3}/g, title)
    .replaceAll(',', ', ');
}
