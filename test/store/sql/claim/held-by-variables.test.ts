import { expect, it } from 'vitest';
import { START } from '../../../helpers/clock.ts';
import { aLead, aPhone, someSettings } from '../../../helpers/factory.ts';
import { someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  dialled,
  ENTRY,
  exported,
  placed,
  settled,
} from '../../../conformance/store/setup.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../../sqlite/database.ts';

const SECOND = { id: 'list_2', sha256: 'b2', path: 'two.csv' };
const DAY = 86_400_000;
const claimed = async (store: ReturnType<typeof aStore>, now = START + DAY) =>
  (await store.claim(aClaim({ want: 5, now, withVariables: true }))).intents;
const needing = (...columns: string[]) => ({ variables: { from: 'named', columns } as const });

it.each(['constructor', '__proto__', 'toString'])(
  'holds people whose list has no column "%s", as it does for any other name',
  async (name) => {
    const { store } = await aRunningDatabase({ leads: 1, settings: needing(name) });

    expect(await claimed(store)).toEqual([]);
    expect((await exported(store))[0]?.reason).toContain(`"${name}" is blank in the list`);
  },
);

it.each(['constructor', '__proto__'])('sends a column "%s" as any other', async (name) => {
  const { store } = await aRunningDatabase({ leads: 0, settings: needing(name) });
  await addList(store, CAMPAIGN, [aLead(0, { cells: ['x', 'Gold'] })], {
    ...SECOND,
    headers: ['phone', name],
  });

  const [intent] = await claimed(store);
  expect(Object.entries(intent?.variables ?? {})).toEqual([
    ['phone', 'x'],
    [name, 'Gold'],
  ]);
});

it('leaves those who were withdrawn while they were held as they are when a later list corrects them', async () => {
  const { store } = await aRunningDatabase({ leads: 1, settings: needing('plan') });
  await claimed(store);
  await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
  const [before] = await exported(store);

  await addList(store, CAMPAIGN, [aLead(0, { cells: ['x', 'y'] })], SECOND);

  const [after] = await exported(store);
  expect(after).toMatchObject({ state: 'done', result: 'cancelled', reason: before?.reason });
  await store.changeCampaign(CAMPAIGN, { settings: someSettings({}) }, ENTRY);
  expect(await store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY)).toMatchObject({ kind: 'undone' });
});

it('keeps the delay of a retry where a later list corrects the person meanwhile', async () => {
  const store = aStore(aDatabasePath());
  const retry = someRetry({ after: { no_answer: 10 * DAY } });
  await aRunningCampaign(store, { leads: 1, settings: { retry } });
  const { attemptId } = await dialled(store, placed('call_1'));
  await store.recordPoll(attemptId, settled('call_1', { result: 'no_answer', source: 'service' }));

  await addList(store, CAMPAIGN, [aLead(0, { cells: ['x', 'y'] })], SECOND);

  expect(await claimed(store, START + 2 * DAY)).toEqual([]);
  expect(await claimed(store, START + 11 * DAY)).toMatchObject([{ phone: aPhone(0) }]);
});
