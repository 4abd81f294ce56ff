import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/store/port.ts';
import type * as OnThread from '../../../../src/store/sqlite/worker/client.ts';
import { claimRules } from '../../../conformance/store/claim.ts';
import { duePollRules } from '../../../conformance/store/due-polls.ts';
import { lookingUpRules } from '../../../conformance/store/looking-up.ts';
import {
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  exported,
  type OpenStore,
} from '../../../conformance/store/setup.ts';
import { aDatabasePath, aStore } from '../database.ts';
import { compiled } from '../../../helpers/compiled-program.ts';
import { METHODS } from '../every-method.ts';

// A thread needs a file that it can begin with: the compiled one.
const { openStoreOnThread } = (await import(
  compiled('store/sqlite/worker/client.js')
)) as typeof OnThread;

const open = new Set<Store>();
afterEach(async () => {
  await Promise.all([...open].map((store) => store.close()));
  open.clear();
});

async function aStoreOnThread(path = aDatabasePath()): Promise<Store> {
  const store = await openStoreOnThread({ path, mode: 'dial' });
  open.add(store);
  return store;
}

async function openStore(): ReturnType<OpenStore> {
  const path = aDatabasePath();
  const store = await aStoreOnThread(path);
  return {
    store,
    beside: () => aStoreOnThread(path),
    reopen: async () => {
      await store.close();
      return aStoreOnThread(path);
    },
  };
}

// Of the rules of every store, those about two stores at once and about what is not sent: a thread for each of all takes long.
describe('a store on a thread of its own keeps the rules of', () => {
  claimRules(openStore);
  duePollRules(openStore);
  lookingUpRules(openStore);
});

describe('a store on a thread of its own', () => {
  it('answers every method as a store without one', async () => {
    const answersOf = async (store: Store) => {
      await aRunningCampaign(store);
      const { attemptId } = await claimedOne(store);
      const answers: Record<string, unknown> = {};
      for (const [name, call] of METHODS) {
        answers[name] = await call(store, attemptId).catch((error: unknown) => String(error));
      }
      return { answers, exported: await exported(store) };
    };

    const onThread = await answersOf(await aStoreOnThread());
    const without = await answersOf(aStore(aDatabasePath()));

    // What comes from another thread is a copy: of a Buffer, its bytes.
    expect(onThread).toEqual(structuredClone(without));
    expect(Object.keys(onThread.answers)).toHaveLength(METHODS.length);
  });

  it('says why it cannot be opened, and what to do', async () => {
    const path = aDatabasePath();
    writeFileSync(path, 'a file that is no database at all, and longer than its header');

    await expect(aStoreOnThread(path)).rejects.toMatchObject({
      name: 'AppError',
      code: 'STORE_NOT_SQLITE',
      exitCode: 2,
      hint: expect.any(String) as string,
    });
  });

  it('passes on what was refused with its code', async () => {
    const store = await aStoreOnThread();
    await aRunningCampaign(store);

    await expect(aRunningCampaign(store)).rejects.toMatchObject({
      name: 'AppError',
      code: 'CAMPAIGN_EXISTS',
    });
  });

  it('keeps what it was asked before it was closed, and refuses what comes after', async () => {
    const path = aDatabasePath();
    const store = await aStoreOnThread(path);
    const made = aRunningCampaign(store);
    await made;
    await Promise.all([store.close(), store.close()]);

    await expect(store.listCampaigns()).rejects.toThrow('the store is closed');
    const again = await aStoreOnThread(path);
    expect(await again.history(CAMPAIGN)).not.toEqual([]);
  });
});
