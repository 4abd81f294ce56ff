import { isHeard } from '../../domain/time-units.ts';
import type { RunEnd, RunOptions } from '../../run-campaign.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Folding, type Log, type Notice } from '../../runtime/log.ts';
import { commandOf, isGone } from '../../runtime/process.ts';
import type { Campaign, HeldSlot, Progress, Runner, Store } from '../../store/port.ts';
import type { World } from '../world.ts';

/** When a run ends; as in `RunOptions`. */
export type RunBounds = Pick<RunOptions, 'limit' | 'until' | 'waitUntil'>;

/** What a run reports while it is in progress. */
export type RunEvent =
  | NoticeEvent
  /** No more questions follow: the campaign is stored as it was approved. */
  | { is: 'committed' }
  /** Calls may be made from now on; `bounds` null: the run only collects. */
  | { is: 'begun'; campaign: Campaign; bounds: RunBounds | null }
  /** How many leads are in which state: every `everyMs`, and once at the end. Not sent for single calls. */
  | { is: 'progress'; progress: Progress; last: boolean }
  /** Calls in doubt hold slots: sent once, and once more when they hold all of them. */
  | { is: 'doubts_hold_slots'; campaign: Campaign; held: HeldSlot[] }
  /** Analytics could not be read; sent once. */
  | { is: 'reading_fails'; detail: string }
  /** Calling and collecting are over; results are written now. */
  | { is: 'ended' }
  /** `stop.left` has aborted: nothing more is shown or written. */
  | { is: 'left'; campaign: Campaign; open: number }
  /** The last event of a run. */
  | { is: 'over' };

export interface WatchedEnd extends RunEnd {
  /** True after Ctrl-C or another signal to stop. */
  interrupted: boolean;
  /** Dialling ended because the suppression list has grown older than the campaign allows. */
  suppressionTooOld: boolean;
}

/** The operator's requests to stop, the mildest first. */
export interface StopSignals {
  /** No new call is started; calls in progress are collected. */
  dialling: AbortSignal;
  /** Dialling and collecting end now. */
  all: AbortSignal;
  /** The command ends at once, without waiting for open calls or for results. */
  left: AbortSignal;
}

/** The observer of a run, who may also stop it. */
export interface RunWatch {
  stop: StopSignals;
  /** How often the leads are counted for `progress`. */
  everyMs: number;
  onEvent: (event: RunEvent) => void;
}

/** Repeats of these are shown as one with their count. All other notices report a state, so each of them is shown. */
const FOLDED: ReadonlySet<Notice['event']> = new Set([
  'call.unknown',
  'doubt.found',
  'doubt.contradicted',
  'poll.contradicted',
  'webhook.unkept',
  'slots.shrunk',
  'service.full',
]);

/** Each word that a profile does not know is told once, and no more of them than this. */
const MOST_WORDS = 20;

/** A notice for the watcher; with `more` the newest of so many equal ones that were held back. */
export interface NoticeEvent {
  is: 'notice';
  notice: Notice;
  more?: number | undefined;
}

/**
 * Logs every notice, and passes equal ones that follow each other quickly on as one with their count.
 *
 * @param fields added to each line of the log
 */
export function foldNotices(
  log: Log,
  onEvent: (event: NoticeEvent) => void,
  clock: Pick<Clock, 'after'>,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const folding = new Folding(clock);
  const words = new Set<string>();
  return {
    notify: (notice: Notice) => {
      if (notice.event === 'word.unknown') {
        const word = `${notice.of} ${notice.word}`;
        if (words.has(word) || words.size >= MOST_WORDS) return;
        words.add(word);
      }
      const { event, ...own } = notice;
      log.info(event, { ...fields, ...own });
      const tell = (more?: number) => onEvent({ is: 'notice', notice, more });
      if (FOLDED.has(event)) folding.add(event, tell);
      else tell();
    },
    /** Passes on what was held back; called when no more notices come. */
    flush: () => folding.flush(),
  };
}

/** Writes into the history when the service began to fail and when it took calls again: `status` reads it. */
export function keepTrouble(store: Pick<Store, 'addHistory'>, { id }: Campaign, world: World) {
  let isFailing = false;
  let writing = Promise.resolve();
  return {
    heard: (notice: Notice): void => {
      if (notice.event !== (isFailing ? 'breaker.closed' : 'breaker.opened')) return;
      isFailing = !isFailing;
      const what = isFailing ? 'service.failing' : 'service.answered';
      const detail = { why: 'detail' in notice ? notice.detail : undefined };
      const entry = { at: world.clock.now(), who: 'callsheet', what, detail };
      writing = writing.then(() => store.addHistory(id, entry)).catch(world.keepStack);
    },
    /** Waits until all of it is written. */
    kept: (): Promise<void> => writing,
  };
}

/** Counting a long list takes time: the pause after a count is at least this many times as long as the count. */
const COST_SHARE = 20;

/** Reports the progress of a campaign every `everyMs`, and that calls in doubt hold its slots. */
export function countLeads(
  store: Store,
  campaign: Campaign,
  { everyMs, onEvent }: RunWatch,
  world: World,
): { stop: () => Promise<void> } {
  const { clock } = world;
  const stopping = new AbortController();
  let told: 'nothing' | 'in_doubt' | 'held_up' = 'nothing';

  const read = async (last: boolean) => {
    const progress = await store.progress(campaign.id, clock.now());
    const { doubts, waiting, unknown } = progress;
    if (doubts > 0 && told !== 'held_up') {
      // As it is set now: `set` may have changed the number of slots since the run began.
      const now = (await store.findCampaign(campaign.name)) ?? campaign;
      const isHeldUp = waiting > 0 && unknown >= now.settings.concurrency;
      const held =
        told === 'nothing' || isHeldUp ? await heldByDoubts(store, now, clock.now()) : [];
      if (held.length > 0) {
        told = isHeldUp ? 'held_up' : 'in_doubt';
        onEvent({ is: 'doubts_hold_slots', campaign: now, held });
      }
    }
    onEvent({ is: 'progress', progress, last });
  };
  // A count that fails stops no run and takes no end from it: it is only shown.
  const count = (last: boolean) => read(last).catch(world.keepStack);
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const before = clock.monotonic();
      await count(false);
      const costMs = clock.monotonic() - before;
      await clock.sleep(Math.max(everyMs, costMs * COST_SHARE), stopping.signal);
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await looping;
      await count(true);
    },
  };
}

/** The slots held by calls in doubt, which may still be on the line. */
export async function heldByDoubts(
  store: Store,
  { id }: Pick<Campaign, 'id'>,
  now: number,
): Promise<HeldSlot[]> {
  return (await store.heldSlots(id, now)).filter(isInDoubt);
}

export function isInDoubt({ state }: HeldSlot): boolean {
  return state === 'unknown' || state === 'unconfirmed';
}

/** The processes that run a campaign at this moment. */
export interface Works {
  /** The process that has run longest, and how many others there are, e.g. `pid 4711 +1`; null: none. */
  runner: string | null;
  /** The same for processes that dial; the rest only collect. */
  calls: string | null;
  /** When the longest-running process began, of those that dial if there are any; epoch ms. */
  since: number | null;
  /** That process for people: `serve on host-1`. */
  by: string | null;
  /** When a process was heard of last that dialled and ended without a word; null: none did, or another one dials. */
  lostAt: number | null;
}

export function whoWorks(runners: readonly Runner[], world: World): Works {
  const alive = runners.filter(
    (runner) => isHeard(runner, world.clock.now()) && !isGone(runner, world.owner),
  );
  const calling = alive.filter(({ dials }) => dials);
  const named = (some: readonly Runner[]) => {
    const [first] = some;
    if (first === undefined) return null;
    const where = first.host === world.owner.host ? '' : `@${first.host}`;
    return `pid ${first.pid}${where}${some.length > 1 ? ` +${some.length - 1}` : ''}`;
  };
  const [first] = calling.length > 0 ? calling : alive;
  const lost = calling.length > 0 ? [] : runners.filter((one) => one.dials && !alive.includes(one));
  return {
    ...{ runner: named(alive), calls: named(calling), since: first?.since ?? null },
    by: first === undefined ? null : nameOf(first, world.owner),
    lostAt: lost.length === 0 ? null : Math.max(...lost.map(({ seenAt }) => seenAt)),
  };
}

function nameOf({ host, boot, pid }: Runner, here: World['owner']): string {
  const command = host === here.host && boot === here.boot ? commandOf(pid) : null;
  return `${command === 'console' ? 'the console' : (command ?? 'callsheet')} on ${host}`;
}
