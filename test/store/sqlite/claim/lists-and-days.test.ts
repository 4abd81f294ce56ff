import { expect, it } from 'vitest';
import { START } from '../../../helpers/clock.ts';
import { aLead, aPhone, someSettings } from '../../../helpers/factory.ts';
import { someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  placed,
  settled,
} from '../../../conformance/store/setup.ts';
import { aDatabasePath, aStore } from '../database.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECOND_LIST = { id: 'list_2', sha256: 'bb22', path: 'two.csv' };
const claimed = async (store: ReturnType<typeof aStore>, now: number) =>
  (await store.claim(aClaim({ want: 5, now }))).intents.length;

it('a person who opts out at a number that a registry’s file has, too, is not rung at the other', async () => {
  const store = aStore(aDatabasePath());
  const alternatives = [{ phone: aPhone(1), zoneKey: '' }];
  await aRunningCampaign(store, { leads: [aLead(0, { alternatives })] });
  const entry = { phone: aPhone(1), at: START, note: null, who: 'ada', expiresAt: null };
  await store.suppress([{ ...entry, source: 'file' }]);
  await store.suppress([{ ...entry, source: 'operator' }]);

  expect(await claimed(store, START + DAY)).toBe(0);
});

it('the end of a consent that a later list names holds for somebody who had left the list', async () => {
  const store = aStore(aDatabasePath());
  await aRunningCampaign(store, { leads: 1 });
  await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
  await addList(store, CAMPAIGN, [aLead(0, { consentUntil: START + HOUR })], SECOND_LIST);
  await store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY);

  expect(await claimed(store, START + DAY)).toBe(0);
});

it.each([15, 5])(
  'a refusal until day %i holds for a person who was held until day 10 by a setting that has changed',
  async (day) => {
    const store = aStore(aDatabasePath());
    const retryAfter = (delay: number) => someRetry({ after: { no_answer: delay } });
    await aRunningCampaign(store, { leads: 1, settings: { retry: retryAfter(10 * DAY) } });
    const { attemptId } = await claimedOne(store);
    await store.recordDial(attemptId, placed('call_1'));
    const result = { result: 'no_answer', source: 'service' } as const;
    await store.recordPoll(attemptId, settled('call_1', result));
    const notBefore = { at: START + day * DAY, why: 'refuses until then' };
    await addList(store, CAMPAIGN, [aLead(0, { notBefore })], SECOND_LIST);
    const settings = someSettings({ retry: retryAfter(HOUR) });
    await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);

    expect(await claimed(store, START + 2 * DAY)).toBe(0);
  },
);
