import { describe, expect, it } from 'vitest';
import { shortHash } from '../../../../src/runtime/random.ts';
import type { E164 } from '../../../../src/domain/phone.ts';
import type { RetryPolicy } from '../../../../src/domain/calling/retry.ts';
import { DAY_MS } from '../../../../src/domain/time-units.ts';
import { aPolicy, LONDON } from '../../../conformance/store/calling/policies.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  released,
  rowOf,
  settled,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aLead, aPhone } from '../../../helpers/factory.ts';
import { aCampaignWithBackup } from '../../sqlite/file/backup.ts';
import { aDatabasePath, aRunningDatabase, aStore, change } from '../../sqlite/database.ts';

/** The second number of the first lead. */
const SECOND = aPhone(50);

describe('the second number of a person', () => {
  it('is what is dialled, under a key of its own', async () => {
    const { store } = await aCampaignThatDialsSecond();

    const intent = await claimedOne(store);

    expect(intent.phone).toBe(SECOND);
    expect(intent.key).toBe(shortHash([CAMPAIGN, SECOND, 1, aPhone(0)]));
    expect(await store.heldSlots(CAMPAIGN, START)).toMatchObject([{ phone: SECOND }]);
    expect(await rowOf(store, { phone: aPhone(0) })).toMatchObject({ state: 'calling' });
  });

  it.each([aPhone(0), SECOND])(
    'is not dialled for a person of whom %s is suppressed',
    async (phone) => {
      const { store } = await aCampaignThatDialsSecond();
      const entry = {
        at: START,
        source: 'operator',
        note: null,
        who: 'ada',
        expiresAt: null,
      } as const;

      expect(await store.suppress([{ ...entry, phone }])).toMatchObject({ leads: 1 });

      expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });
    },
  );

  it('is not dialled when it becomes the next one after it was suppressed', async () => {
    const { path, store } = await aCampaignThatDialsSecond({ isNext: false });
    const entry = {
      at: START,
      // As from a registry: such a file is about numbers, and not about persons.
      source: 'file',
      note: null,
      who: 'ada',
      expiresAt: null,
    } as const;
    await store.suppress([{ ...entry, phone: SECOND }]);
    dialSecond(path);

    expect(await store.nextCall(CAMPAIGN, aPhone(0), START)).toMatchObject({
      at: null,
      holds: [{ until: null, by: 'suppression' }],
    });
    expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });
    expect(await rowOf(store, { phone: aPhone(0) })).toMatchObject({ result: 'suppressed' });
  });

  it('is under the caps of its own calls, whichever person it was dialled for', async () => {
    const { store } = await aCampaignThatDialsSecond();
    await aRunningCampaign(store, { id: 'cmp_other', leads: [aLead(50, { zoneKey: LONDON })] });
    await claimedOne(store, { campaignId: 'cmp_other' });

    expect(await store.claim(aClaim({ now: START + 1 }))).toMatchObject({
      intents: [],
      askAgainAt: START + DAY_MS,
    });
  });

  it('counts under the cap of the first number, as it is one person who is called', async () => {
    const { path, store } = await aCampaignThatDialsSecond({ retry: TWICE });
    const { attemptId } = await dialled(store, placed('call_1'));
    await store.recordPoll(attemptId, settled('call_1', { result: 'no_answer' }));
    change(
      path,
      `UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL, dial_phone = NULL
       WHERE phone = '${aPhone(0)}'`,
    );

    expect(await store.claim(aClaim({ now: START + 1_000 }))).toMatchObject({ intents: [] });
    expect(await claimedOne(store, { now: START + DAY_MS })).toMatchObject({ phone: aPhone(0) });
  });

  it('counts as called for a campaign that leaves out whom others have called', async () => {
    const { store } = await aCampaignThatDialsSecond();
    await claimedOne(store);
    const skipCalled = 'ever';
    const leads = [aLead(50), aLead(0, { line: 3 })];
    await aRunningCampaign(store, { id: 'cmp_b', settings: { skipCalled }, leads });

    expect(await store.claim(aClaim({ campaignId: 'cmp_b', want: 2 }))).toMatchObject({
      intents: [],
      shortfall: 'none_waiting',
    });
    const asked = { campaignId: 'cmp_b', simulated: false, now: START };
    for (const phone of [SECOND, aPhone(0)]) {
      expect(await store.earlierCallsOf({ ...asked, phones: [phone] })).toMatchObject([
        { phone: SECOND, lead: 'other' },
      ]);
    }
  });
});

describe('a dial of a second number that the database has forgotten', () => {
  it('comes back for its person, who is not called again', async () => {
    const { path, store, setBack } = await aCampaignWithBackup({ leads: 2 });
    addSecond(path, CAMPAIGN);
    dialSecond(path);
    expect(await claimedOne(store)).toMatchObject({ phone: SECOND });

    const again = await setBack();

    // The backup does not know the number at all.
    expect(await again.doubts(CAMPAIGN)).toMatchObject([{ phone: SECOND }]);
  });

  it('is told from a dial of the person whose first number it is', async () => {
    const { path, store } = await aRunningDatabase({ leads: [aLead(0, { line: 99 })] });
    addSecond(path, CAMPAIGN);
    dialSecond(path);
    const first = await claimedOne(store);
    expect(first).toMatchObject({ phone: SECOND });
    await store.recordDial(first.attemptId, released('never_sent'));
    await addList(store, CAMPAIGN, [aLead(50)], { id: 'list_2', sha256: 'other' });
    expect(await claimedOne(store, { now: START + 1 })).toMatchObject({ phone: SECOND });
    await store.close();
    // As a copy from before the second of the two calls.
    change(
      path,
      `DELETE FROM attempts WHERE lead_row = (SELECT row FROM leads WHERE phone = '${aPhone(0)}');
       UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL, spent = 0 WHERE phone = '${aPhone(0)}';
       UPDATE meta SET value = '0' WHERE key = 'journal_verified'`,
    );

    const again = aStore(path);

    expect(await rowOf(again, { phone: aPhone(0) })).toMatchObject({ state: 'calling' });
    expect(await again.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });
  });
});

/** A person may be called twice, and nothing else keeps the second call back. */
const TWICE: RetryPolicy = {
  attempts: 2,
  perDay: null,
  gapMs: 0,
  after: { no_answer: 0 },
  otherTimeOfDay: false,
  lastDay: null,
  alternatives: null,
};

async function aCampaignThatDialsSecond({
  isNext = true,
  retry,
}: { isNext?: boolean; retry?: RetryPolicy } = {}) {
  const path = aDatabasePath();
  const store = aStore(path);
  const policy = aPolicy({ caps: [{ calls: 1, perMs: DAY_MS }] });
  const leads = [aLead(0, { zoneKey: LONDON })];
  await aRunningCampaign(store, { settings: { policy, ...(retry && { retry }) }, leads });
  addSecond(path, CAMPAIGN);
  if (isNext) dialSecond(path);
  return { path, store };
}

function addSecond(path: string, campaignId: string, phone: E164 = aPhone(0)): void {
  change(
    path,
    `INSERT INTO lead_numbers (lead_row, ordinal, phone, zone_key)
     SELECT row, 1, '${SECOND}', '${LONDON}' FROM leads
     WHERE campaign_id = '${campaignId}' AND phone = '${phone}'`,
  );
}

function dialSecond(path: string): void {
  change(path, `UPDATE leads SET dial_phone = '${SECOND}' WHERE phone = '${aPhone(0)}'`);
}
