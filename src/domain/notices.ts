import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';

/**
 * Events that people are told about. `attention`: a person is needed. `finished`: a night or a campaign has ended.
 * `started`: a night's first call was made. `refusedList`: a list of a watched folder was not taken, or rows of it were
 * held back.
 */
export const NOTICE_EVENTS = ['attention', 'finished', 'started', 'refusedList'] as const;
export type NoticeEventName = (typeof NOTICE_EVENTS)[number];

interface Wanted {
  /** Empty: this target sends nothing by itself; in services.yaml it allows campaign files to use it. */
  on: readonly NoticeEventName[];
}

/** A program that is started for each notice, without a shell. */
export interface CommandTarget extends Wanted {
  command: readonly string[];
  /** The absolute folder in which it runs. */
  folder: string;
}

/** An address to which each notice is posted; either `url` or `urlEnv` is given. */
export interface WebhookTarget extends Wanted {
  url?: string;
  /** The environment variable that holds the address, where the address itself is a secret. */
  urlEnv?: string;
  /** The environment variable that holds the secret of Standard Webhooks; left out: notices are not signed. */
  secretEnv?: string;
}

export type NoticeTarget = CommandTarget | WebhookTarget;

/** A target of a campaign, and who named it: a campaign file may be somebody else's work. */
export type CampaignTarget = NoticeTarget & { from: 'file' | 'given' };

export function isCommand(target: NoticeTarget): target is CommandTarget {
  return 'command' in target;
}

/** The same for two targets that reach the same receiver, which gets each notice once. */
export function receiverOf(target: NoticeTarget): string {
  if (isCommand(target)) return JSON.stringify(['command', target.folder, ...target.command]);
  return JSON.stringify(['webhook', target.url ?? '', target.urlEnv ?? '']);
}

/**
 * The target that a campaign may use, by the targets of the operator's own services.yaml. A campaign file may come from
 * somebody else, so it decides neither which program runs on this machine, nor what is sent to its own ports, nor where
 * signed notices go: for all but an unsigned address elsewhere, services.yaml has to name the same target.
 * @param isLoopback of an address
 * @returns the target to use (a command runs in the folder of services.yaml then); null: it is not allowed
 */
export function allowedTarget(
  { from, ...target }: CampaignTarget,
  own: readonly NoticeTarget[],
  isLoopback: (url: string) => boolean,
): NoticeTarget | null {
  if (from === 'given') return target;
  const same = own.find((each) => namedAs(each) === namedAs(target));
  if (same !== undefined) return { ...same, on: target.on };
  if (isCommand(target) || target.url === undefined || target.secretEnv !== undefined) return null;
  const isOwn = own.some((each) => !isCommand(each) && each.url === target.url);
  return isLoopback(target.url) && !isOwn ? null : target;
}

/** The same key for two targets that differ only in their events and their folder. */
function namedAs(target: NoticeTarget): string {
  if (isCommand(target)) return JSON.stringify(target.command);
  const { url, urlEnv, secretEnv } = target;
  return JSON.stringify({ url, urlEnv, secretEnv });
}

/** The wait after each failed try, as Standard Webhooks proposes: short at first, then longer. The last one repeats. */
const WAITS_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
/** No notice is tried later than this after it was written, unless it was never tried. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
/** How long a process has for a try: longer than a command or a webhook may take. */
export const LEASE_MS = MINUTE_MS;
/** Longer than any wait: a time further ahead means that the clock was set back. */
export const LONGEST_WAIT_MS = 7 * HOUR_MS;

/**
 * When a notice is tried again.
 * @param tries how many have failed, 1 or more
 * @param writtenAt epoch ms, as is `now`
 * @param retryAfterMs what the receiver asked for; null: nothing
 * @returns epoch ms; null: it is given up
 */
export function nextTry(
  tries: number,
  writtenAt: number,
  now: number,
  retryAfterMs: number | null,
): number | null {
  const wait = WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] ?? 0;
  const at = now + Math.max(wait, retryAfterMs ?? 0);
  return at - writtenAt > GIVEN_UP_AFTER_MS ? null : at;
}

export interface NightFacts {
  /** No call follows in it. */
  isOver: boolean;
  /** Calls of the night so far, and how many of them its latest `finished` has counted; null: none was written. */
  calls: number;
  toldCalls: number | null;
  isCompleted: boolean;
  /** A run of the campaign has ended just now. */
  runEnded: boolean;
}

/**
 * Whether a `finished` is due, and which: `campaign` (every lead is final), `night` (no call follows in this night),
 * `run` (a run has ended, and another one may follow). If a `run` has already reported all calls of the night, its end
 * is `silent`: it is written down, and nobody is told again.
 */
export function endOfNight(facts: NightFacts): 'campaign' | 'night' | 'run' | 'silent' | null {
  const { isOver, calls, toldCalls, isCompleted, runEnded } = facts;
  if (isCompleted) return 'campaign';
  if (isOver) return toldCalls === calls ? 'silent' : 'night';
  return runEnded && toldCalls === null ? 'run' : null;
}
