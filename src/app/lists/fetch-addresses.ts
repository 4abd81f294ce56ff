import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAddress } from '../../domain/lists/list-sources.ts';
import { isSameState, mayBeList } from '../../leads/folders/candidates.ts';
import { AppError } from '../../runtime/errors.ts';
import { fetchList } from '../../service/lists/fetch-list.ts';
import { scanPlaces, type Candidate } from './scan-places.ts';
import { tellOnce, type Taking } from './taking.ts';

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
    const key = sources.keyEnv === undefined ? undefined : world.env[sources.keyEnv];
    try {
      if (sources.keyEnv !== undefined && (key ?? '') === '') throw withoutKey(sources.keyEnv);
      folders.push(folder);
      await mkdir(folder, { recursive: true });
      const path = join(folder, nameOf(address));
      const answer = await fetchList({
        address,
        key,
        known: await store.addressState(campaign.id, address),
        maxBytes: sources.maxMegabytes * 1_000_000,
        to: path,
        clock: world.clock,
        signal: stop,
      });
      if (answer === null) continue;
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

function withoutKey(name: string): AppError {
  return new AppError('LIST_KEY_MISSING', `The environment variable ${name} is not set.`, {
    hint: `set ${name} to the key of the list's address, or leadsKeyEnv to none`,
  });
}

/** The name of the last part of an address, where that is a list's name; else `list.csv`. */
function nameOf(address: string): string {
  const name = basename(decodeURI(new URL(address).pathname)).replaceAll(/[^\w.-]/g, '_');
  return mayBeList(name) ? name : 'list.csv';
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
