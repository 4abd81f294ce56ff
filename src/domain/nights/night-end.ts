import type { AttemptState } from '../attempt.ts';
import type { CampaignState } from '../campaign.ts';
import type { Resolution } from '../resolution.ts';

/**
 * Why the dialling of a night has ended, or that it has not:
 * - `final`: every lead is final
 * - `cancelled`, `paused`: the campaign is
 * - `budget`: a budget was used up
 * - `hours`: nobody's hours were open any more
 * - `due`: nobody else was due in this night
 * - `limit`, `until`: the option of `run`
 * - `interrupted`: the process that called was stopped or killed
 * - `person`: something needed a person, such as a key, a disk or an old suppression list
 * - `atWork`: it goes on
 * - `notKnown`
 */
export const NIGHT_ENDS = [
  ...(['final', 'cancelled', 'paused', 'budget', 'hours', 'due', 'limit', 'until'] as const),
  ...(['interrupted', 'person', 'atWork', 'notKnown'] as const),
] as const;
export type NightEnd = (typeof NIGHT_ENDS)[number];

export interface RunFacts {
  state: CampaignState;
  /** Why dialling ended, see `DispatchEnd`; null: nothing was dialled. */
  dispatch: string | null;
  interrupted: boolean;
  /** The service refused the key, or the suppression list is too old. */
  refused: boolean;
  waiting: number;
  /** How many waiting people may be called by the hours now. */
  mayBeCalled: number;
}

/** Why a run stopped calling; kept with its night. */
export function endOfRun(facts: RunFacts): NightEnd {
  const { state, dispatch, interrupted, refused, waiting, mayBeCalled } = facts;
  if (state === 'completed') return 'final';
  if (state === 'cancelled') return 'cancelled';
  if (interrupted) return 'interrupted';
  if (refused || dispatch === 'store_failing' || dispatch === 'disk_full') return 'person';
  if (state === 'paused') return 'paused';
  if (waiting === 0) return 'final';
  if (dispatch === 'limit' || dispatch === 'until') return dispatch;
  return mayBeCalled === 0 ? 'hours' : 'due';
}

export interface EndFacts {
  /** See `endOfRun`; null: nothing was kept. */
  kept: string | null;
  /** The budget that ended it; null: none. */
  endedBy: string | null;
  /** No later night has calls. */
  isLast: boolean;
  /** It is this night now. */
  isTonight: boolean;
  state: CampaignState;
  /** A process calls this campaign now. */
  isCalled: boolean;
}

/**
 * Why a night ended. A process that stops calling keeps the reason, so a night without one, which no process calls now,
 * was ended by a kill.
 */
export function nightEnd(facts: EndFacts): NightEnd {
  const { kept, endedBy, isLast, isTonight, state, isCalled } = facts;
  if (isLast && state === 'completed') return 'final';
  if (endedBy !== null) return 'budget';
  if (kept !== null) return NIGHT_ENDS.find((end) => end === kept) ?? 'notKnown';
  if (!isCalled) return 'interrupted';
  return isTonight ? 'atWork' : 'notKnown';
}

/**
 * The outcome of a dial, for people who count calls: `made` by the service; `refused` by it for good (a 4xx);
 * `inDoubt`: the answer was lost; `notMade`: not sent, refused for now, ended without ringing, or settled as not made
 * by a person.
 */
export const DIAL_KINDS = ['made', 'refused', 'inDoubt', 'notMade'] as const;
type DialKind = (typeof DIAL_KINDS)[number];
export type DialCounts = Record<DialKind, number>;

export const NO_DIALS: DialCounts = { made: 0, refused: 0, inDoubt: 0, notMade: 0 };

/** The only place that decides what counts as a call made. Null: the dial has no answer yet. */
export function dialKind(state: AttemptState, resolution: Resolution | null): DialKind | null {
  switch (state) {
    case 'intent':
      return null;
    case 'placed':
    case 'ended':
    case 'settled':
    case 'no_result':
      return 'made';
    case 'rejected':
      return 'refused';
    case 'released':
      return 'notMade';
    case 'unknown':
    case 'unconfirmed':
      return resolution === 'not_placed' ? 'notMade' : 'inDoubt';
  }
}

/** What `results.file` may contain: the date of the night whose results the file holds, `2026-01-05`. */
const DATE = '{date}';

/** True where every night's results get a file of their own. */
export function isDated(file: string | null): boolean {
  return file?.includes(DATE) === true;
}

/** The file of one night. @param night its date, `2026-01-05` */
export function datedFile(file: string, night: string): string {
  return file.replaceAll(DATE, night);
}

/** The report page beside a results file: the same name with the ending `.html`. */
export function pageBeside(file: string): string {
  return `${file.replace(/\.(csv|tsv|txt|xlsx|jsonl|ndjson|json)$/i, '')}.html`;
}

/** The first unknown placeholder, as written; undefined: all are known. */
export function unknownPlaceholder(file: string): string | undefined {
  return file.match(/\{[^{}/\\]*\}/g)?.find((found) => found !== DATE);
}

interface NightResults {
  /** `2026-01-05`; `''`: calls from before nights were kept. */
  night: string;
  /** When its file was written with every call of the night in it; null: not yet. */
  resultsAt: number | null;
}

/**
 * The nights that are over and whose file is still to be written: those after the first night with a file, even if a
 * later one has one. If no night has a file, dates are new in its name, and the last night alone gets one, as files of
 * older nights could not be told apart.
 * @param nights the first one first
 * @param tonight the night that it is now, which is not over
 */
export function nightsWithoutResults<N extends NightResults>(
  nights: readonly N[],
  tonight: string,
): N[] {
  const over = nights.filter(({ night }) => night !== '' && night < tonight);
  const first = over.findIndex(({ resultsAt }) => resultsAt !== null);
  return over.slice(first).filter(({ resultsAt }) => resultsAt === null);
}
