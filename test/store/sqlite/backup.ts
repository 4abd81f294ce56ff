import { copyFileSync } from 'node:fs';
import type { Store } from '../../../src/store/port.ts';
import { aRunningCampaign } from '../../conformance/store/setup.ts';
import { aDatabasePath, aStore } from './database.ts';

/** A running campaign, a copy of its database, and a way to put that copy back. */
export async function aCampaignWithBackup(plan: { leads?: number } = {}) {
  const path = aDatabasePath();
  const first = aStore(path);
  await aRunningCampaign(first, { ...plan, settings: { concurrency: 100 } });
  await first.close();
  const backup = `${path}.before`;
  copyFileSync(path, backup);

  const store = aStore(path);
  const setBack = async (onRecovered?: (attempts: number) => void): Promise<Store> => {
    await store.close();
    copyFileSync(backup, path);
    return aStore(path, onRecovered === undefined ? {} : { onRecovered });
  };
  return { path, store, setBack };
}
