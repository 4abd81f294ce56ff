import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { isAddress } from '../../domain/lists/list-mapping.ts';
import { own } from '../../domain/safe-text.ts';
import { isComplete, isSameState, mayBeList, QUIET_MS } from '../../leads/folders/candidates.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import { fetchList } from '../../service/fetch-list.ts';
import type { WatchedList } from '../../store/port.ts';
import { asSentence } from '../../text/wording.ts';
import { requireListKey } from '../services/service.ts';
import { UNATTENDED, type World } from '../world.ts';
import type { TakingCampaign } from './import-staged.ts';
import { scanPlaces, type Candidate } from './scan-places.ts';
import { takeFile, takeStaged } from './take-file.ts';
import { isBusy, tellOnce, type OnRefused, type Remembered, type Taking } from './taking.ts';

/**
 * Asks every address of a campaign for a list that is newer than the last one, and keeps it beside the database. An
 * address that does not answer is told; the last list from it stays as it was taken.
 *
 * @returns the files that came from them and are not taken yet; each is complete
 */
async function fetchAddresses(taking: Taking, stop: AbortSignal | undefined): Promise<Candidate[]> {
  const { of, sources, world } = taking;
  const folders: string[] = [];
  for (const address of sources.from.filter(isAddress)) {
    const { store, campaign } = of;
    const id = createHash('sha256').update(`${campaign.id} ${address}`).digest('hex');
    const folder = join(store.folder, 'lists', id.slice(0, 12));
    const key = sources.keyEnv === undefined ? undefined : own(world.env, sources.keyEnv);
    try {
      if (sources.keyEnv !== undefined && (key ?? '') === '') throw withoutKey(sources.keyEnv);
      requireListKey({ from: [address], keyEnv: sources.keyEnv }, of, world);
      folders.push(folder);
      await mkdir(folder, { recursive: true });
      // A name of its own, as two processes may fetch at once, and no name of a list, so that it is not taken under it.
      const to = join(folder, `.fetched-${world.owner.pid}`);
      const answer = await fetchList({
        address,
        key,
        known: await store.addressState(campaign.id, address),
        maxBytes: sources.maxMegabytes * 1_000_000,
        to,
        clock: world.clock,
        signal: stop,
      });
      if (answer === null) continue;
      await putInPlace(taking, to, join(folder, nameOf(address)));
      // Whether it was taken is known by its bytes, so the order of these two steps and a crash between them is no matter.
      await store.keepAddress(campaign.id, address, answer, world.clock.now());
    } catch (error) {
      if (!(error instanceof AppError) || /^STORE_/.test(error.code)) throw error;
      const hint = error.hint === undefined ? '' : ` Next: ${error.hint}.`;
      tellOnce(`${error.message}${hint}`, taking);
    }
  }
  const { candidates } = await scanPlaces({ from: folders });
  return candidates.filter(({ path, state }) => {
    const settled = taking.memory.settled.get(path);
    return settled === undefined || !isSameState(settled, state);
  });
}

/**
 * Gives a fetched list its name. An address that tells no version brings the same bytes again and again: they are dropped
 * where they lie in their place already, or have been taken or refused and moved from there.
 */
async function putInPlace({ of }: Taking, fetched: string, path: string): Promise<void> {
  const sha256 = await hashOf(fetched);
  const there = await hashOf(path);
  const rows = await of.store.watchedLists(of.campaign.id);
  const isSettled = rows.some((row) => row.sha256 === sha256 && row.state !== 'taking');
  if (there === sha256 || (there === null && isSettled)) await rm(fetched);
  else await rename(fetched, path);
}

/** SHA-256 of a file's bytes; null: there is none. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

function withoutKey(name: string): AppError {
  return new AppError('LIST_KEY_MISSING', `The environment variable ${name} is not set.`, {
    hint: `set ${name} to the key of the list's address, or leadsKeyEnv to none`,
  });
}

/** The name of the last part of an address, where that is a list's name; else `list.csv`. */
function nameOf(address: string): string {
  const name = basename(new URL(address).pathname).replaceAll(/%[\dA-F]{2}|[^\w.-]/gi, '_');
  return mayBeList(name) ? name : 'list.csv';
}

interface ListWatchOptions {
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
    ...UNATTENDED,
    tell: (sentence, kind, code) => world.tell(`${name}: ${sentence}`, kind, code),
    ...(underway && { underway }),
  };
}
