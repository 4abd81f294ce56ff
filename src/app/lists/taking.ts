import { dirname, join } from 'node:path';
import type { ListSources } from '../../domain/lists/list-sources.ts';
import type { FileState } from '../../leads/folders/candidates.ts';
import { isAtWork } from '../../leads/folders/fates.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, WatchedList } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { TakingCampaign } from './import-staged.ts';

/** A list that was refused, or has rows that were held back, as problems and notices name it. */
export interface RefusedList {
  campaign: Campaign;
  /** Where the file was found, or its address. */
  path: string;
  /** Of its bytes; null: it was not read. */
  sha256: string | null;
  /** The code of the error, e.g. `LIST_HAS_NO_PHONE_COLUMN`. */
  code: string;
  /** One sentence, and the next step. */
  why: string;
  hint: string | null;
  /** How many rows were held back of a list that was taken; null: it was not taken. */
  held: number | null;
}

/**
 * Called for each list that is refused, before it is kept that it was: a process that is killed in between calls it
 * again with the same list.
 */
export type OnRefused = (list: RefusedList) => Promise<void>;

/** What a process remembers from look to look; nothing depends on it but how often files are read and told of. */
export interface Remembered {
  /** By path: when a state of a file was seen first (monotonic ms). */
  seen: Map<string, { state: FileState; at: number }>;
  /** Files that stay in their place as long as they are unchanged. */
  settled: Map<string, FileState>;
  /** Sentences, and when they were told (monotonic ms). */
  told: Map<string, number>;
  /** Hashes of what this process is taking now. */
  atWork: Set<string>;
}

/** One look at the places of one campaign. */
export interface Taking {
  of: TakingCampaign;
  sources: ListSources;
  memory: Remembered;
  world: World;
  onRefused: OnRefused;
}

/** The copies of taken files, beside the database. */
export function stagingFolder({ store }: Pick<TakingCampaign, 'store'>): string {
  return join(dirname(store.location), 'taking');
}

/** Whether another process may be taking this file. A claim of this very process that it is not at is a broken-off one. */
export function isBusy({ sha256, taker }: WatchedList, { memory, world }: Taking): boolean {
  if (memory.atWork.has(sha256)) return true;
  const { host, boot, pid } = world.owner;
  if (taker.host === host && taker.boot === boot && taker.pid === pid) return false;
  return isAtWork({ taker }, world.clock.now(), isGone(taker, world.owner));
}

/** A trouble that lasts is told again after this time, so that every night hears of it. */
const TELL_AGAIN_MS = 12 * 3_600_000;

/** Tells a problem, unless it was told lately. */
export function tellOnce(
  sentence: string,
  { memory: { told }, world }: Pick<Taking, 'memory' | 'world'>,
) {
  const now = world.clock.monotonic();
  if (now - (told.get(sentence) ?? -Infinity) < TELL_AGAIN_MS) return;
  told.set(sentence, now);
  world.tell(sentence, 'problem');
}
