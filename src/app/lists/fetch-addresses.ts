import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAddress } from '../../domain/lists/list-sources.ts';
import { isSameState, mayBeList } from '../../leads/folders/candidates.ts';
import { AppError } from '../../runtime/errors.ts';
import { requireListKey } from '../services/service.ts';
import { fetchList } from '../../service/lists/fetch-list.ts';
import { scanPlaces, type Candidate } from './scan-places.ts';
import { tellOnce, type Taking } from './taking.ts';
import { own } from '../../domain/lists/own.ts';

/**
 * Asks every address of a campaign for a list that is newer than the last one, and keeps it beside the database. An
 * address that does not answer is told; the last list from it stays as it was taken.
 *
 * @returns the files that came from them and are not taken yet; each is complete
 */
export async function fetchAddresses(
  taking: Taking,
  stop: AbortSignal | undefined,
): Promise<Candidate[]> {
  const { of, sources, world } = taking;
  const folders: string[] = [];
  for (const address of sources.from.filter(isAddress)) {
    const { store, campaign } = of;
    const folder = join(dirname(store.location), 'lists', idOf(`${campaign.id} ${address}`));
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

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
