import type { CampaignState, PauseReason } from './campaign.ts';

/**
 * What can be said of a campaign, in the order in which it decides: the first that holds is what a person is told first.
 * - `interrupted`: the run was stopped
 * - `key`, `profile`, `breaker`: callsheet has paused it, or the service refused the key
 * - `database`, `disk_full`: nothing can be written, or soon nothing
 * - `machines`: another machine must first show its dial journal to this copy of the database
 * - `list_too_old`: the suppression list is
 * - `doubts`: it is not known whether calls were made
 * - `cancelled`; `paused` by the operator
 * - `importing`, `import`: an import goes on, or was broken off
 * - `never_open`: nobody who waits may ever be called
 * - `budget`: used up until a person changes it; `budget_tonight`: until the next night; `budget_in_use`: by calls in progress
 * - `draft`: it was never started, and no process is about to
 * - `failing`: the service fails
 * - `hours`: closed, or nobody is due
 * - `backoff`: the service asked for no calls for a time; `no_free_slot`, `pace`: the next call waits for these
 * - `waiting`: people wait, and nothing keeps a process from calling them
 * - `collecting`: only results are awaited; `final`: nothing is left to do
 */
export const SITUATIONS = [
  ...(['interrupted', 'key', 'profile', 'breaker', 'database', 'disk_full'] as const),
  ...(['machines', 'list_too_old', 'doubts', 'cancelled', 'paused'] as const),
  ...(['importing', 'import'] as const),
  ...(['never_open', 'budget', 'budget_tonight', 'budget_in_use', 'draft', 'failing'] as const),
  ...(['hours', 'backoff', 'no_free_slot', 'pace', 'waiting', 'collecting', 'final'] as const),
] as const;
export type SituationWord = (typeof SITUATIONS)[number];

/** The state as people are told it: a started campaign is `running` while somebody is called, else `open`. */
export const SHOWN_STATES = [
  'draft',
  'open',
  'running',
  'paused',
  'completed',
  'cancelled',
] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export function shownState(state: CampaignState, isCalled: boolean): ShownState {
  return state === 'running' && !isCalled ? 'open' : state;
}

/** People who are in a call now: not in doubt, nor only without a result yet. */
export function onTheLine(progress: { calling: number; held: number; unknown: number }): number {
  return Math.max(0, Math.min(progress.calling, progress.held) - progress.unknown);
}

/** What a campaign does, for a page: the first word of its status. */
export const STATUSES = [
  ...(['calling', 'waiting', 'still', 'interrupted', 'needs_you'] as const),
  ...(['paused', 'over', 'draft'] as const),
] as const;

/** What one read of the store gives of a campaign at `now`; times are epoch ms. */
export interface SituationFacts {
  now: number;
  state: CampaignState;
  pauseReason: PauseReason | null;
  /**
   * People who wait, who are in a call, and `unknown` of these who may not be; calls that hold a slot, and whose results are
   * awaited; doubts that no person has settled.
   */
  progress: {
    waiting: number;
    open: number;
    doubts: number;
    calling: number;
    unknown: number;
    held: number;
    nextDueAt: number | null;
  };
  works: Work;
  /** See `UnfinishedImport`; null: all lists are in. */
  unfinished: string | null;
  /** By the hours. `nextAt`: when the first of `later` may be called. */
  hours: { now: number; later: number; nextAt: number | null };
  /** The budget that holds calls back; null: none does. */
  budget: { until: 'calls_end' | 'night' | 'change'; goesOnAt: number | null } | null;
  /** See `claimGates`. */
  gates: readonly { why: string; until: number | null }[];
  isFailing: boolean;
  isListTooOld: boolean;
  /** What a run has seen until its end; empty while a campaign is only looked at. */
  end: {
    interrupted?: boolean;
    keyRefused?: boolean;
    dispatch?: string | null;
    nextAt?: number | null;
  };
}

/** What processes do for a campaign at this moment. */
export type Work = 'calls' | 'collects' | 'nobody';

export interface Situation {
  /** What decides: the first of `all`. */
  is: SituationWord;
  /** Everything that holds, in the order of `SITUATIONS`. */
  all: SituationWord[];
  shown: ShownState;
  works: Work;
  /** People on the line. */
  onLine: number;
  /** A process calls, and the next person may be called now or when a call of this campaign ends. */
  callsMore: boolean;
  /** People wait, or an import was broken off, and no process calls though the campaign was not cancelled. */
  isUncalled: boolean;
  /** When the next of those who wait may be called, epoch ms; null: now, never, not known, or after a person has acted. */
  until: number | null;
  /** The command that a person gives next, without the name of the campaign; null: nobody has to do anything. */
  todo: string | null;
  /** What a person is needed for; null: nobody is. */
  attention: SituationWord | null;
  exit: Exit;
}

/** How a command ends that leaves the campaign like this. */
export type Exit = 'ok' | 'waiting' | 'key' | 'person' | 'interrupted';

/** The exit and, if a person has something to do, the command for it. */
const ENDS: Readonly<Record<SituationWord, readonly [exit: Exit, todo: string | null]>> = {
  interrupted: ['interrupted', null],
  key: ['key', 'run'],
  profile: ['person', 'run'],
  breaker: ['person', 'run'],
  database: ['person', 'run'],
  disk_full: ['person', 'run'],
  machines: ['person', 'machines list'],
  list_too_old: ['person', 'suppress import FILE --as-of DAY'],
  doubts: ['person', 'resolve'],
  cancelled: ['waiting', null],
  paused: ['waiting', 'resume'],
  importing: ['waiting', null],
  import: ['person', 'import'],
  draft: ['waiting', 'run'],
  never_open: ['person', 'set'],
  budget: ['person', 'set'],
  budget_tonight: ['waiting', 'run'],
  budget_in_use: ['waiting', 'run'],
  failing: ['waiting', null],
  backoff: ['waiting', 'run'],
  no_free_slot: ['waiting', 'run'],
  pace: ['waiting', 'run'],
  hours: ['waiting', 'run'],
  waiting: ['waiting', 'run'],
  collecting: ['waiting', 'collect'],
  final: ['ok', null],
};

/** What may hold while the next person may be called; anything else keeps a process from it. */
const WHILE_CALLING: ReadonlySet<SituationWord> = new Set([
  ...(['doubts', 'no_free_slot', 'pace', 'waiting', 'collecting'] as const),
]);

/** Says what is going on in a campaign: the only place where that is decided. */
export function situationOf(facts: SituationFacts): Situation {
  const { state, works, progress, unfinished } = facts;
  const holds = whatHolds(facts);
  const all = SITUATIONS.filter((word) => holds[word]);
  const [is = 'final', next = 'final'] = all;
  const exit = is === 'cancelled' && progress.open === 0 ? 'ok' : ENDS[is][0];
  const isLeft = progress.waiting > 0 || unfinished !== null;
  const until = untilOf(is, facts);
  const onLine = onTheLine(progress);
  // Slots that no call of its own holds are held by doubts or other campaigns.
  const isFull = holds.no_free_slot && onLine === 0;
  const isRun = works === 'calls' && state === 'running';
  const callsMore =
    isRun &&
    holds.waiting &&
    all.every((word) => WHILE_CALLING.has(word)) &&
    !isFull &&
    until === null;
  return {
    is,
    all,
    shown: shownState(state, callsMore || (isRun && onLine > 0)),
    works,
    ...{ onLine, callsMore },
    isUncalled: isLeft && state !== 'cancelled' && works !== 'calls',
    until,
    todo: todoOf(is === 'interrupted' ? next : is, facts),
    attention: exit === 'person' || exit === 'key' ? is : null,
    exit,
  };
}

function whatHolds(facts: SituationFacts): Record<SituationWord, boolean> {
  const { state, pauseReason, progress, unfinished, hours, budget, gates, end } = facts;
  const waits = progress.waiting > 0;
  const isShut = (why: string) => waits && gates.some((gate) => gate.why === why);
  const isSpent = (until: string) => waits && budget?.until === until;
  return {
    interrupted: end.interrupted === true,
    key: pauseReason === 'key' || end.keyRefused === true,
    profile: pauseReason === 'profile',
    breaker: pauseReason === 'breaker',
    database: end.dispatch === 'store_failing',
    disk_full: isShut('disk_full') || (waits && end.dispatch === 'disk_full'),
    machines: isShut('machines_awaited'),
    list_too_old: waits && facts.isListTooOld,
    doubts: progress.doubts > 0,
    cancelled: state === 'cancelled',
    paused: waits && pauseReason === 'operator',
    importing: unfinished === 'going_on',
    import: unfinished !== null && unfinished !== 'going_on',
    draft: state === 'draft' && facts.works !== 'calls',
    never_open: waits && hours.now === 0 && hours.later === 0,
    budget: isSpent('change'),
    budget_tonight: isSpent('night'),
    budget_in_use: isSpent('calls_end'),
    failing: waits && facts.isFailing,
    backoff: isShut('service_backoff'),
    no_free_slot: isShut('no_free_slot'),
    pace: isShut('pace'),
    hours: waits && hours.now === 0 && hours.later > 0,
    waiting: waits,
    collecting: progress.open > 0,
    final: state !== 'draft' && !waits && progress.open === 0,
  };
}

/** The situations that last until a person acts, or whose end is not known. */
const NO_TIME: ReadonlySet<SituationWord> = new Set([
  ...(['interrupted', 'key', 'profile', 'breaker', 'database', 'disk_full', 'paused'] as const),
  ...(['machines', 'list_too_old', 'cancelled', 'importing', 'import', 'never_open'] as const),
]);

function untilOf(is: SituationWord, facts: SituationFacts): number | null {
  const { now, progress, hours, budget, gates, end } = facts;
  if (NO_TIME.has(is) || facts.pauseReason !== null || facts.state === 'cancelled') return null;
  if (is === 'budget' || is === 'budget_tonight' || is === 'budget_in_use')
    return budget?.goesOnAt ?? null;
  const opensAt = hours.now === 0 ? (hours.nextAt ?? 0) : 0;
  const backoff = gates.find(({ why }) => why === 'service_backoff')?.until ?? 0;
  // A person may be due while the run has to wait longer, e.g. for a backoff: the latest time counts.
  const dueAt = progress.waiting > 0 ? Math.max(progress.nextDueAt ?? 0, end.nextAt ?? 0) : 0;
  const at = Math.max(dueAt, opensAt, progress.waiting > 0 ? backoff : 0);
  return at > now ? at : null;
}

function todoOf(is: SituationWord, { works, progress, unfinished }: SituationFacts): string | null {
  const [, todo] = ENDS[is];
  if (is === 'import') return unfinished === 'resumable' ? 'run' : todo;
  if (is === 'cancelled') return progress.open > 0 && works === 'nobody' ? 'collect' : null;
  if (is === 'collecting') return works === 'nobody' ? todo : null;
  // The process that calls goes on by itself when what keeps it is over.
  return ENDS[is][0] === 'waiting' && is !== 'paused' && works === 'calls' ? null : todo;
}
