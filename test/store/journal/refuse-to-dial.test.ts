import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/runtime/errors.ts';
import { journalPath } from '../../../src/store/journal/journal.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import {
  aClaim,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  dialled,
  exported,
  placed,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaignWithBackup } from '../sqlite/file/backup.ts';
import { aStore } from '../sqlite/database.ts';

describe('nobody is called', () => {
  it('where the database has dials and the journal is missing', async () => {
    const { path, store } = await aCampaignWithBackup();
    await claimedOne(store);
    await store.close();
    rmSync(journalPath(path));

    expect(refusal(path)).toMatchObject({
      code: 'JOURNAL_MISSING',
      exitCode: 5,
      message: expect.stringContaining(journalPath(path)) as string,
      hint: expect.stringContaining('copy both together') as string,
    });
  });

  it.each([
    [
      'cut short',
      (journal: string) => {
        truncateSync(journal, 60);
      },
    ],
    [
      'emptied',
      (journal: string) => {
        truncateSync(journal, 0);
      },
    ],
    [
      'another file',
      (journal: string) => {
        writeFileSync(journal, 'name,phone\n'.repeat(99));
      },
    ],
  ])('where the journal is %s', async (_, damage) => {
    const { path, store } = await aCampaignWithBackup();
    await claimedOne(store);
    await store.close();
    await aStore(path).close();
    damage(journalPath(path));
    const before = readFileSync(journalPath(path));

    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_MISSING', exitCode: 5 });
    expect(readFileSync(journalPath(path))).toEqual(before);
  });

  it('where the journal has lost the last call that the service has answered', async () => {
    const { path, store } = await aCampaignWithBackup();
    const journal = journalPath(path);
    await claimedOne(store);
    const before = readFileSync(journal);
    await dialled(store, placed('call_1'));
    await store.close();
    copyFileSync(path, `${path}.old`);
    writeFileSync(journal, before);

    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_MISSING', exitCode: 5 });
    copyFileSync(`${path}.old`, path);
    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_MISSING', exitCode: 5 });
  });

  it('where an older copy of the journal was put back and has grown beyond its former length', async () => {
    const { path, store, setBack } = await aCampaignWithBackup();
    const journal = journalPath(path);
    const older = readFileSync(journal);
    await claimedOne(store);
    await store.close();
    await aStore(path).close();
    const [newer, lines] = [readFileSync(path), readFileSync(journal)];
    writeFileSync(journal, older);
    const other = await setBack();
    await other.claim(aClaim({ want: 5, now: START + 1 }));
    await other.close();
    writeFileSync(path, newer);
    expect(readFileSync(journal).length).toBeGreaterThan(lines.length);

    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_MISSING', exitCode: 5 });
  });

  it('by another database in the place of the one that its journal belongs to', async () => {
    const { path, store } = await aCampaignWithBackup();
    await claimedOne(store);
    await store.close();
    const other = await aCampaignWithBackup();
    await other.store.close();
    copyFileSync(other.path, path);

    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_OF_ANOTHER_DATABASE', exitCode: 5 });
  });

  it('by a new database beside an old journal', async () => {
    const { path, store } = await aCampaignWithBackup();
    await claimedOne(store);
    await store.close();
    rmSync(path);

    expect(refusal(path)).toMatchObject({ code: 'STORE_LOST', exitCode: 5 });
    expect(existsSync(path)).toBe(false);
  });

  it('by a database that is older than a campaign in the journal, and nothing is half restored', async () => {
    const { path, store, setBack } = await aCampaignWithBackup();
    await claimedOne(store);
    await aRunningCampaign(store, { id: 'cmp_b' });
    await claimedOne(store, { campaignId: 'cmp_b' });

    const refused = setBack();

    await expect(refused).rejects.toMatchObject({ code: 'JOURNAL_BEYOND_DATABASE', exitCode: 5 });
    const reader = aStore(path, { mode: 'read' });
    expect(await reader.doubts(CAMPAIGN)).toEqual([]);
    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_BEYOND_DATABASE' });
  });

  it('but everything can still be watched and exported', async () => {
    const { path, store } = await aCampaignWithBackup();
    await claimedOne(store);
    await store.close();
    rmSync(journalPath(path));

    const reader = aStore(path, { mode: 'read' });

    expect(await exported(reader)).toHaveLength(5);
    expect(await reader.progress(CAMPAIGN, START)).toMatchObject({ calling: 1 });
  });
});

function refusal(path: string): AppError {
  try {
    openSqliteStore({ path, mode: 'dial' });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was opened');
}
