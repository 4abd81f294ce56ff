import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  aClaim,
  addList,
  aSweep,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  placed,
  released,
  rowOf,
  settled,
  someLeads,
  unknown,
} from '../../conformance/store/setup.ts';
import { notPlaced } from '../../conformance/store/dialling/resolve.ts';
import { shortHash } from '../../../src/runtime/random.ts';
import type { JournalEntry } from '../../../src/store/claims.ts';
import { DialJournal, journalPath, readJournal } from '../../../src/store/journal/journal.ts';
import { backUp } from '../../../src/store/sqlite/file/backup.ts';
import { databaseIdOf } from '../../../src/store/sql/claim/restore-dials.ts';
import { sqlOf } from '../../../src/store/sql/sql.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, CREATED, aPhone } from '../../helpers/factory.ts';
import { aCampaignWithBackup } from '../sqlite/file/backup.ts';
import {
  aConnection,
  aDatabasePath,
  aRunningDatabase,
  aStore,
  change,
} from '../sqlite/database.ts';

/** See `someSettings`. */
const LONGEST = 15 * 60_000;

describe('a store that dials for a whole night', () => {
  it('compares its own journal meanwhile, so that another who opens the database has little to read', async () => {
    const { path, store } = await aRunningDatabase({
      settings: { concurrency: 9_000, requests: 9_000 },
    });
    for (let n = 1; n <= 6; n++)
      await addList(store, CAMPAIGN, someLeads(1_000, n * 1_000), {
        id: `list_${n}`,
        sha256: `${n}`,
      });
    const compared = () =>
      Number(
        aConnection(path)
          .prepare("SELECT value FROM meta WHERE key = 'journal_verified'")
          .pluck()
          .get() ?? 0,
      );

    await claimed(store, 5_000);
    expect(compared()).toBe(0);
    await claimed(store, 100);

    expect(compared()).toBeGreaterThan(5_000 * 50);
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({ unknown: 0, waiting: 905 });
  });
});

describe('a database that was set back', () => {
  it('gets the forgotten dials back as unknown and never calls those people again', async () => {
    const { path, store, setBack } = await aCampaignWithBackup();
    const [first, second] = await claimed(store, 2);
    await store.recordDial(first?.attemptId ?? '', placed('call_1'));
    await store.recordPoll(first?.attemptId ?? '', settled('call_1'));

    const recovered: number[] = [];
    const again = await setBack((attempts) => recovered.push(attempts));

    expect(recovered).toEqual([2]);
    expect(await again.progress(CAMPAIGN, START)).toMatchObject({
      waiting: 3,
      calling: 2,
      unknown: 2,
      held: 2,
      dials: { inDoubt: 2 },
    });
    expect(await again.doubts(CAMPAIGN)).toMatchObject([first, second].map(forgotten));
    const { intents } = await again.claim(aClaim({ want: 9, now: START + 86_400_000 }));
    expect(intents.map(({ phone }) => phone)).toEqual([2, 3, 4].map(aPhone));
    expect(aConnection(path).pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('knows whom a dial to another number of a person was made for', async () => {
    const further = aPhone(90);
    const alternatives = [{ phone: further, zoneKey: 'America/Chicago;US-TX' }];
    const leads = [aLead(0, { alternatives }), aLead(1, { line: 3, alternatives })];
    const { store, setBack } = await aCampaignWithBackup({ leads });
    const [own] = await claimed(store, 2);
    await store.recordDial(own?.attemptId ?? '', placed('call_1'));
    const invalid = settled('call_1', { result: 'invalid_number', source: 'service' });
    await store.recordPoll(own?.attemptId ?? '', invalid);
    const second = await claimedOne(store, { now: START + 60_000 });
    expect(second.phone).toBe(further);

    const again = await setBack();

    expect(await exported(again)).toMatchObject([
      { phone: aPhone(0), state: 'calling', attempts: 2, attempt: { phone: further } },
      { phone: aPhone(1), state: 'calling', attempts: 1 },
    ]);
    const asked = await again.claim(aClaim({ want: 9, now: START + 86_400_000 }));
    expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
  });

  it('never sends those again, and knows a dial that was sent again as one', async () => {
    const { path, store, setBack } = await aCampaignWithBackup({ leads: 1 });
    const replay = { forMs: 86_400_000, account: 'account-1', monotonic: 0 };
    const lost = await dialled(store, unknown(), { replay });
    await store.claim(aClaim({ replay, now: START + 1_100 }));
    const journal = readJournal(journalPath(path), 0);
    const lines = [...(journal?.lines ?? [])]
      .flatMap((line) => (line.kind === 'dial' ? [line.entry] : []))
      .filter(({ key }) => key === lost.key);
    journal?.close();
    expect(lines.map(({ intentAt }) => intentAt)).toEqual([START, START + 1_100]);

    const recovered: number[] = [];
    const again = await setBack((attempts) => recovered.push(attempts));
    await again.sweep(aSweep({ now: START + 2_000 }));

    expect(recovered).toEqual([1]);
    const [doubt, ...others] = await again.doubts(CAMPAIGN);
    expect(others).toEqual([]);
    expect(doubt).toMatchObject({ intentAt: START, holdsUntil: START + 1_100 + LONGEST });
    const later = aClaim({ replay, now: START + 60_000 });
    expect(await again.claim(later)).toMatchObject({ intents: [], shortfall: 'none_waiting' });
  });

  it('to between a dial and the same dial again holds its slot from the last one on', async () => {
    const { path, store } = await aCampaignWithBackup({ leads: 1 });
    const replay = { forMs: 86_400_000, account: 'account-1', monotonic: 0 };
    const lost = await dialled(store, unknown(), { replay });
    backUp({ from: path, to: `${path}.between` });
    const last = START + LONGEST - 60_000;
    await store.claim(aClaim({ replay, now: last }));
    await store.close();
    copyFileSync(`${path}.between`, path);

    const again = aStore(path);

    const until = last + LONGEST;
    expect(await again.doubts(CAMPAIGN)).toMatchObject([{ holdsUntil: until }]);
    const tooEarly = { kind: 'refused', refusal: { why: 'too_early', until } };
    expect(await again.resolve(lost.attemptId, notPlaced(until - 1))).toEqual(tooEarly);
    // It counts as sent again: the next time is as far away as in the database that was replaced.
    const soon = await again.claim(aClaim({ replay, now: last + 60_000 }));
    expect(soon).toMatchObject({ intents: [], askAgainAt: last + 2 * 60_000 });
    expect(await again.resolve(lost.attemptId, notPlaced(until))).toEqual({ kind: 'resolved' });
    expect(await claimedOne(again, { now: until })).toMatchObject({ phone: lost.phone });
  });

  it('does so once', async () => {
    const { path, store, setBack } = await aCampaignWithBackup();
    await claimed(store, 2);
    const again = await setBack();
    await claimedOne(again);
    await again.close();

    const recovered: number[] = [];
    const third = aStore(path, { onRecovered: (attempts) => recovered.push(attempts) });

    expect(recovered).toEqual([]);
    expect(await third.progress(CAMPAIGN, START)).toMatchObject({
      dials: { inDoubt: 2 },
      unknown: 2,
    });
  });

  it('takes late evidence for a dial that came back', async () => {
    const { store, setBack } = await aCampaignWithBackup();
    const intent = await claimedOne(store);
    const again = await setBack();

    expect(await again.recordPoll(intent.attemptId, settled('call_1'))).toBe('moved');

    expect(await rowOf(again, intent)).toMatchObject({ state: 'done', result: 'answered' });
  });

  it('looks for evidence of a dial that came back as long as of any other', async () => {
    const { store, setBack } = await aCampaignWithBackup();
    const intent = await claimedOne(store);
    const again = await setBack();
    const nextDay = START + 86_400_000;

    expect(await again.sweep(aSweep({ now: nextDay }))).toMatchObject({ unconfirmed: 0 });
    expect(await again.sweep(aSweep({ now: nextDay + 599_999 }))).toMatchObject({ unconfirmed: 0 });
    expect(await rowOf(again, intent)).toMatchObject({ attempt: { state: 'unknown' } });
    expect(await again.sweep(aSweep({ now: nextDay + 600_000 }))).toMatchObject({ unconfirmed: 1 });
  });

  it('to before a list gets its called people back all the same', async () => {
    const { store, setBack } = await aCampaignWithBackup();
    await addList(store, CAMPAIGN, someLeads(2, 50), { id: 'list_2', sha256: 'bb22' });
    const intents = await claimed(store, 5);
    const added = await claimed(store, 2, { slots: 9 });

    const again = await setBack();

    expect(await again.doubts(CAMPAIGN)).toHaveLength(7);
    const rows = await exported(again);
    expect(rows.map(({ phone }) => phone)).toEqual(
      [...intents, ...added].map(({ phone }) => phone),
    );
    expect(rows.at(-1)).toMatchObject({ listPath: '(dial journal)', cells: [aPhone(51)] });
    const { total, byState } = await again.peopleCounts(CAMPAIGN);
    expect([total, byState.calling]).toEqual([rows.length, rows.length]);
    expect((await again.zonesOf(CAMPAIGN)).map(({ people }) => people)).toEqual([rows.length]);
    await addList(again, CAMPAIGN, someLeads(2, 50), { id: 'list_2', sha256: 'bb22' });
    expect(await again.claim(aClaim({ now: START + 86_400_000 }))).toMatchObject({
      shortfall: 'none_waiting',
    });
  });

  it('knows what they have used of the budgets of their night', async () => {
    const { store, setBack } = await aCampaignWithBackup({ leads: 4 });
    await dialled(store, released());
    await claimedOne(store);
    await claimedOne(store, { now: START + 86_400_000 });

    const again = await setBack();

    expect(await again.nights(CAMPAIGN)).toMatchObject([
      { night: '2026-01-05', calls: 1, open: 1 },
      { night: '2026-01-06', calls: 1, open: 1 },
    ]);
  });

  it('to before a release knows from the second dial that the first one was released', async () => {
    const { store, setBack } = await aCampaignWithBackup({ leads: 1 });
    const first = await dialled(store, released());
    const second = await claimedOne(store);

    const again = await setBack();

    expect(await again.doubts(CAMPAIGN)).toMatchObject([forgotten(second)]);
    expect(await again.progress(CAMPAIGN, START)).toMatchObject({
      dials: { inDoubt: 1, notMade: 1 },
      calling: 1,
    });
    expect(await again.recordDial(first.attemptId, released())).toBe('stayed');
  });

  it('to the middle of a dial that was released afterwards knows the same', async () => {
    const { path, store } = await aCampaignWithBackup({ leads: 1 });
    const first = await claimedOne(store);
    await store.close();
    const backup = `${path}.backup`;
    copyFileSync(path, backup);
    const goesOn = aStore(path);
    await goesOn.recordDial(first.attemptId, released());
    const second = await claimedOne(goesOn);
    await goesOn.close();
    copyFileSync(backup, path);

    const again = aStore(path);

    expect(await again.doubts(CAMPAIGN)).toMatchObject([forgotten(second)]);
    expect(await again.progress(CAMPAIGN, START)).toMatchObject({
      dials: { inDoubt: 1, notMade: 1 },
      calling: 1,
    });
  });

  it('to before a second spent attempt keeps the first one as unconfirmed', async () => {
    const { path, store, setBack } = await aCampaignWithBackup({ leads: 1 });
    const first = await dialled(store, { ...released(), kind: 'rejected' });
    change(path, "UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL");
    const second = await claimedOne(store);

    const again = await setBack();

    expect(await again.doubts(CAMPAIGN)).toMatchObject([
      { ...forgotten(first), state: 'unconfirmed' },
      forgotten(second),
    ]);
    expect(await again.progress(CAMPAIGN, START)).toMatchObject({
      dials: { inDoubt: 2 },
      calling: 1,
    });
  });

  it('to before it was ever opened to dial still fits its journal', async () => {
    const path = aDatabasePath();
    const importer = aStore(path, { mode: 'write' });
    await importer.createCampaign(aCampaign(), CREATED);
    await addList(importer, CAMPAIGN, someLeads(2));
    await importer.changeCampaign(CAMPAIGN, { state: 'running' }, ENTRY);
    await importer.close();
    copyFileSync(path, `${path}.backup`);
    const store = aStore(path);
    const intent = await claimedOne(store);
    await store.close();
    copyFileSync(`${path}.backup`, path);

    expect(await aStore(path).doubts(CAMPAIGN)).toMatchObject([forgotten(intent)]);
  });
});

/**
 * A runner that had the database open while its file was replaced went on with the old one, and both wrote
 * to the same journal: what the old one did has no row, and its number is another attempt's.
 */
describe('a dial of a runner that went on with the old file', () => {
  it('comes back under a number of its own', async () => {
    const { path, store } = await aCampaignWithBackup();
    const known = await claimedOne(store);
    await store.close();
    await appendToJournal(path, { seq: seqOf(known), phone: aPhone(4) });

    const again = aStore(path);

    expect(await again.doubts(CAMPAIGN)).toMatchObject([
      { phone: aPhone(4), state: 'unknown', attemptId: `a${seqOf(known) + 1}` },
    ]);
    expect(await rowOf(again, known)).toMatchObject({ attempt: { state: 'intent' } });
    expect(await again.progress(CAMPAIGN, START)).toMatchObject({
      dials: { inDoubt: 1 },
      calling: 2,
    });
    await again.close();
    const third = aStore(path, {
      onRecovered: () => {
        throw new Error('it came back twice');
      },
    });
    expect(await third.progress(CAMPAIGN, START)).toMatchObject({ dials: { inDoubt: 1 } });
  });

  it('to a person who was called here, too, comes back beside that call', async () => {
    const { path, store } = await aCampaignWithBackup();
    const known = await dialled(store, placed('call_1'));
    await store.close();
    const foreign = { seq: seqOf(known) + 5, phone: known.phone, key: known.key };
    await appendToJournal(path, foreign);

    const again = aStore(path);

    expect(await again.heldSlots(CAMPAIGN, START)).toMatchObject([
      { attemptId: known.attemptId, state: 'placed', callId: 'call_1', phone: known.phone },
      { attemptId: `a${foreign.seq}`, state: 'unknown', phone: known.phone },
    ]);
    expect(await again.recordPoll(known.attemptId, settled('call_1'))).toBe('moved');
    expect(await again.recordPoll(`a${foreign.seq}`, settled('call_2'))).toBe('moved');
    expect(await rowOf(again, known)).toMatchObject({ state: 'done', attempts: 2 });
  });
});

async function appendToJournal(path: string, entry: Partial<JournalEntry>): Promise<void> {
  const journal = DialJournal.open(journalPath(path), databaseIdOf(sqlOf(aConnection(path))));
  const { phone = aPhone(0), ...rest } = entry;
  const key = shortHash([CAMPAIGN, phone, 1]);
  const dial = { campaignId: CAMPAIGN, key, ordinal: 1, service: 'main', agent: 'ag_1' };
  await journal.append([{ seq: 1, phone, intentAt: START, ...dial, ...rest }]);
  journal.close();
}

function seqOf({ attemptId }: { attemptId: string }): number {
  return Number(attemptId.slice(1));
}

function forgotten(intent: { attemptId: string; phone: string } | undefined) {
  return { attemptId: intent?.attemptId, phone: intent?.phone, state: 'unknown' };
}
