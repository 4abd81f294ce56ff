import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../../src/runtime/errors.ts';
import { backUp } from '../../../../src/store/sqlite/file/backup.ts';
import { restoreBackup, type RestoreOptions } from '../../../../src/store/sqlite/file/restore.ts';
import type { NewLead, Store } from '../../../../src/store/port.ts';
import { aRunningCampaign } from '../../../conformance/store/setup.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { aDatabasePath, aStore } from '../database.ts';

/** What a database that a restore replaces is called afterwards. */
export const KEEP_AS = 'replaced-2026-01-05T15-00-00Z';

/** A running campaign, a copy of its database, and a way to put that copy back. */
export async function aCampaignWithBackup(plan: { leads?: number | NewLead[] } = {}) {
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

/** A running campaign of five leads whose backup was made before its first call. */
export async function aBackedUpDatabase() {
  const path = aDatabasePath();
  const from = join(tempFolder(), 'backup.db');
  const store = aStore(path);
  await aRunningCampaign(store);
  backUp({ from: path, to: from });
  return { path, from, store };
}

/** Why a restore was refused. */
export function refusal(options: Omit<RestoreOptions, 'keepAs'>): AppError {
  try {
    restoreBackup({ ...options, keepAs: KEEP_AS });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was restored');
}
