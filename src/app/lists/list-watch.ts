import { isComplete, isSameState, QUIET_MS } from '../../leads/folders/candidates.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import type { WatchedList } from '../../store/port.ts';
import { asSentence } from '../../text/plural.ts';
import type { World } from '../world.ts';
import { fetchAddresses } from './fetch-addresses.ts';
import type { TakingCampaign } from './import-staged.ts';
import { scanPlaces, type Candidate } from './scan-places.ts';
import { takeFile, takeStaged } from './take-file.ts';
import { isBusy, tellOnce, type OnRefused, type Remembered, type Taking } from './taking.ts';

export interface ListWatchOptions {
  world: World;
  onRefused: OnRefused;
  /** Aborts a look; what was begun goes on at the next one. */
  stop?: AbortSignal | undefined;
}

/**
 * Takes lists from the folders, globs and addresses of campaigns. One watch serves all campaigns of a process; several
 * processes may watch the same folders.
 */
export function createListWatch(options: ListWatchOptions) {
  const memory: Remembered = {
    seen: new Map(),
    settled: new Map(),
    told: new Map(),
    atWork: new Set(),
  };
  return {
    /**
     * Looks once, and takes every list that is complete; waits up to 5 s for files that were not seen before. A list
     * that cannot be used is refused and told, and the others are taken all the same.
     *
     * @throws AppError of the store; files that were not taken then are taken at the next look
     */
    look: async (of: TakingCampaign): Promise<void> => {
      const { sources } = of.campaign.settings;
      if (sources === undefined) return;
      const { world, stop } = options;
      const named = tellAs(of.campaign.name, world, stop);
      const taking: Taking = { of, sources, memory, world: named, onRefused: options.onRefused };
      for (let round = 1; round <= MOST_ROUNDS && stop?.aborted !== true; round++) {
        const held = await lookOnce(taking, stop);
        if (held === undefined) return;
        if (round === MOST_ROUNDS) tellOnce(held, taking);
        else await world.clock.sleep(ROUND_MS, stop);
      }
    },
  };
}

/** One list is imported into a campaign at a time: while another process does that, the others are tried again. */
const MOST_ROUNDS = 30;
const ROUND_MS = 2_000;

/** @returns why a list has to wait for another import, as a sentence; undefined: none has */
async function lookOnce(taking: Taking, stop: AbortSignal | undefined) {
  await takeInterrupted(taking);
  const fetched = await fetchAddresses(taking, stop);
  const complete = await completeFiles(taking, stop);
  let held: string | undefined;
  for (const candidate of [...fetched, ...complete]) {
    if (stop?.aborted === true) return undefined;
    held = (await each(taking, () => takeFile(taking, candidate))) ?? held;
  }
  return held;
}

/** Goes on with what an ended process was taking, from its copy: the file itself may have gone or changed since. */
async function takeInterrupted(taking: Taking): Promise<void> {
  const { of } = taking;
  const isLeft = (row: WatchedList) => row.state === 'taking' && !isBusy(row, taking);
  for (const row of (await of.store.watchedLists(of.campaign.id)).filter(isLeft))
    await each(taking, () => takeStaged(taking, row));
}

async function completeFiles(taking: Taking, stop: AbortSignal | undefined): Promise<Candidate[]> {
  const { world } = taking;
  const first = await scan(taking);
  if (first.waiting === 0) return first.complete;
  await world.clock.sleep(QUIET_MS, stop);
  return (await scan(taking)).complete;
}

async function scan(taking: Taking) {
  const { sources, memory, world } = taking;
  const { candidates, problems } = await scanPlaces(sources);
  for (const problem of problems) tellOnce(problem, taking);
  const now = world.clock.monotonic();
  let waiting = 0;
  const complete = candidates.filter((candidate) => {
    const { path, state, markedAt, outside } = candidate;
    const known = memory.seen.get(path);
    const before = known !== undefined && isSameState(known.state, state) ? known : undefined;
    if (before === undefined) memory.seen.set(path, { state, at: now });
    const settled = memory.settled.get(path);
    if (settled !== undefined && isSameState(settled, state)) return false;
    if (outside !== null) return true;
    const seen = before && { state: before.state, agoMs: now - before.at };
    if (isComplete(state, seen, markedAt)) return true;
    if (state.size > 0) waiting += 1;
    return false;
  });
  return { complete, waiting };
}

/**
 * One file must not keep the others from being taken; only what the store refuses concerns them all.
 *
 * @returns why the file has to wait for another import; undefined: it has not
 */
async function each(taking: Taking, work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isOfStore(error)) throw error;
    const sentence = asSentence(messageOf(error));
    if (error instanceof AppError && error.code === 'LIST_UNFINISHED') return sentence;
    tellOnce(sentence, taking);
    taking.world.keepStack(error);
    return undefined;
  }
}

function isOfStore(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^(STORE|JOURNAL)_/.test(code);
}

/** The world of a look: nobody is asked, and every sentence names the campaign. */
function tellAs(name: string, world: World, stop: AbortSignal | undefined): World {
  const underway = stop && {
    signal: stop,
    kept: undefined,
    cleanUps: new Set<() => Promise<void>>(),
  };
  return {
    ...world,
    attended: false,
    confirm: async () => Promise.resolve(false),
    ask: async () => Promise.resolve(undefined),
    progress: () => ({ onProgress: () => undefined, stop: () => undefined }),
    tell: (sentence, kind, code) => {
      world.tell(`${name}: ${sentence}`, kind, code);
    },
    ...(underway && { underway }),
  };
}
