import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/runtime/errors.ts';
import { shortHash } from '../../../src/runtime/random.ts';
import { DialJournal, journalPath } from '../../../src/store/journal/journal.ts';
import type { Mended } from '../../../src/store/journal/recover.ts';
import { databaseIdOf } from '../../../src/store/sql/claim/restore-dials.ts';
import { sqlOf } from '../../../src/store/sql/sql.ts';
import { openSqliteStore, type OpenOptions } from '../../../src/store/sqlite/open.ts';
import { CAMPAIGN, claimedOne } from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aConnection, aRunningDatabase, aStore } from '../sqlite/database.ts';
import { aCampaignWithBackup } from '../sqlite/file/backup.ts';

/** See `someSettings`. */
const LONGEST = 15 * 60_000;
const NEXT_DAY = START + 86_400_000;
const MENDED_AT = NEXT_DAY + 60_000;

function refusal(path: string, options: Partial<OpenOptions> = {}): AppError {
  try {
    void openSqliteStore({ path, mode: 'dial', ...options }).close();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

/** Changes bytes of the journal; its length stays the same. */
function damage(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(journalPath(path), 'latin1');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  expect(after).toHaveLength(before.length);
  writeFileSync(journalPath(path), after, 'latin1');
}

describe('a damaged last line of the journal', () => {
  it('is mended as a dial between the last whole one and now: its slot, limits and night count', async () => {
    const { path, store, setBack } = await aCampaignWithBackup();
    await claimedOne(store);
    const lost = await claimedOne(store, { now: NEXT_DAY });
    damage(path, `"phone":"${lost.phone}"`, '"phone":"+12125550199"');

    await expect(setBack()).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
    expect(refusal(path).message).toContain(
      `(after attempt a2 of ${new Date(START).toISOString()})`,
    );
    const mended = aStore(path, { mendAt: MENDED_AT });

    expect(await mended.doubts(CAMPAIGN)).toMatchObject([
      { phone: aPhone(0), intentAt: START, holdsUntil: START + LONGEST },
      { phone: lost.phone, intentAt: START, holdsUntil: MENDED_AT + LONGEST },
    ]);
    expect(await mended.heldSlots(CAMPAIGN, MENDED_AT)).toMatchObject([{ phone: lost.phone }]);
    expect(await mended.nights(CAMPAIGN)).toMatchObject([
      { night: '2026-01-05', calls: 1 },
      { night: '2026-01-06', calls: 1 },
    ]);
  });

  it('is mended as a dial of now where the journal has no other', async () => {
    const { path, store } = await aRunningDatabase({ proven: false });
    await store.close();
    copyFileSync(path, `${path}.before`);
    const dialling = aStore(path);
    const lost = await claimedOne(dialling);
    await dialling.close();
    damage(path, `"phone":"${lost.phone}"`, '"phone":"+12125550199"');
    copyFileSync(`${path}.before`, path);

    expect(refusal(path)).toMatchObject({ code: 'JOURNAL_DAMAGED' });
    const mended = aStore(path, { mendAt: MENDED_AT });

    expect(await mended.doubts(CAMPAIGN)).toMatchObject([
      { phone: lost.phone, intentAt: MENDED_AT, holdsUntil: MENDED_AT + LONGEST },
    ]);
  });

  it('is mended for good where its end is damaged, too', async () => {
    const { path, store, setBack } = await aCampaignWithBackup();
    await claimedOne(store);
    damage(path, /\n$/, 'x');

    await expect(setBack()).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
    const mended: Mended[] = [];
    const first = aStore(path, { mendAt: MENDED_AT, onMended: (mend) => mended.push(mend) });
    await first.close();
    const second = aStore(path);
    const next = await claimedOne(second, { now: MENDED_AT });
    await second.close();

    expect(mended).toMatchObject([{ lines: 1, taken: 1 }]);
    expect(next.phone).toBe(aPhone(1));
    expect(await aStore(path).doubts(CAMPAIGN)).toHaveLength(1);
  });
});

it('a dial that comes back beside damage is told by that start, and does so once, also under another number', async () => {
  const { path, store } = await aCampaignWithBackup();
  await claimedOne(store);
  const known = await claimedOne(store);
  await store.close();
  const journal = DialJournal.open(journalPath(path), databaseIdOf(sqlOf(aConnection(path))));
  const key = shortHash([CAMPAIGN, aPhone(4), 1]);
  const dial = { campaignId: CAMPAIGN, key, ordinal: 1, service: 'main', agent: 'ag_1' };
  const seq = Number(known.attemptId.slice(1));
  await journal.append([{ ...dial, seq, phone: aPhone(4), intentAt: START }]);
  journal.close();
  damage(path, '"phone":"+12005550100"', '"phone":"+12125550199"');

  const recovered: number[] = [];
  const onRecovered = (attempts: number) => recovered.push(attempts);
  expect(refusal(path, { onRecovered })).toMatchObject({ code: 'JOURNAL_DAMAGED' });
  expect(refusal(path, { onRecovered })).toMatchObject({ code: 'JOURNAL_DAMAGED' });
  expect(recovered).toEqual([1]);

  const mended = aStore(path, { mendAt: MENDED_AT });
  expect(await mended.doubts(CAMPAIGN)).toMatchObject([{ phone: aPhone(4), state: 'unknown' }]);
  expect(await mended.progress(CAMPAIGN, START)).toMatchObject({
    dials: { inDoubt: 1, notMade: 0 },
  });
});
