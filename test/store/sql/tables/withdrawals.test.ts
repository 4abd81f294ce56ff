import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/store/port.ts';
import { notPlaced } from '../../../conformance/store/dialling/resolve.ts';
import { HOUR, someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  addList,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  placed,
  released,
  settled,
  unknown,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aLead, aPhone } from '../../../helpers/factory.ts';
import { aRunningDatabase, change } from '../../sqlite/database.ts';

const OWN = aPhone(0);
const NO_ANSWER = { result: 'no_answer', source: 'service' } as const;
const EMPTY = 'b.csv line 2: "Consent" is empty now';

async function onePerson(): Promise<Store> {
  const { store } = await aRunningDatabase({ leads: 1, settings: { retry: someRetry() } });
  return store;
}

const DOES = {
  withdraw: (store: Store) => store.cancelLead(CAMPAIGN, OWN, ENTRY),
  undo: (store: Store) => store.undoCancelLead(CAMPAIGN, OWN, ENTRY),
  leave: (store: Store) => store.cancelWaiting(CAMPAIGN, [OWN], 'left_list'),
  claim: (store: Store) => store.claim(aClaim({ now: START + 8 * HOUR })),
  stop: (store: Store) => store.stopLeads(CAMPAIGN, 'two', [{ phone: OWN, why: EMPTY }]),
  /** A later list has them as a person to call. */
  mend: async (store: Store) => {
    await addList(store, CAMPAIGN, [aLead(0)], { id: 'three', sha256: 'three' });
    await store.waitAgain(CAMPAIGN, [OWN], START);
  },
};
type Step = keyof typeof DOES;

async function doAll(store: Store, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await DOES[step](store);
}

async function isCalled(store: Store): Promise<boolean> {
  return (await store.claim(aClaim({ now: START + 9 * HOUR }))).intents.length === 1;
}

describe('the operator and lists each have their say of a person', () => {
  test.each<[Step[], boolean]>([
    [['leave', 'withdraw', 'mend'], false],
    [['leave', 'withdraw', 'mend', 'undo'], true],
    [['leave', 'withdraw', 'undo'], false],
    [['leave', 'withdraw', 'undo', 'mend'], true],
    [['withdraw', 'leave', 'undo'], false],
    [['withdraw', 'leave', 'undo', 'mend'], true],
    [['withdraw', 'leave', 'mend', 'undo'], true],
    [['withdraw', 'stop', 'undo'], false],
    [['withdraw', 'stop', 'undo', 'mend'], true],
    [['withdraw', 'stop', 'mend'], false],
    [['stop', 'withdraw', 'undo'], false],
    [['stop', 'withdraw', 'mend'], false],
    [['stop', 'withdraw', 'mend', 'undo'], true],
    [['leave', 'stop', 'withdraw', 'undo'], false],
    [['stop', 'leave', 'mend'], true],
    [['leave', 'stop', 'mend'], true],
    [['stop', 'leave', 'withdraw', 'mend', 'undo'], true],
    [['stop', 'leave', 'withdraw', 'undo', 'mend'], true],
  ])('who waits: %j', async (steps, called) => {
    const store = await onePerson();
    await doAll(store, steps);
    expect(await isCalled(store)).toBe(called);
  });

  test.each<[Step[], boolean]>([
    [['withdraw', 'mend'], false],
    [['withdraw', 'undo'], true],
    [['withdraw', 'stop', 'undo'], false],
    [['withdraw', 'leave', 'undo'], false],
    [['withdraw', 'leave', 'undo', 'mend'], true],
    [['withdraw', 'leave', 'mend', 'undo'], true],
    [['stop', 'withdraw', 'undo'], false],
    [['stop', 'withdraw', 'mend'], false],
    [['stop', 'withdraw', 'mend', 'undo'], true],
    [['stop', 'leave'], false],
    [['stop', 'leave', 'mend'], true],
    [['leave', 'stop', 'mend'], true],
  ])('who is in a call that is not answered: %j', async (steps, called) => {
    const store = await onePerson();
    const { attemptId } = await dialled(store, placed('call_1'));
    await doAll(store, steps);
    await store.recordPoll(
      attemptId,
      settled('call_1', { result: 'no_answer', source: 'service' }),
    );
    expect(await isCalled(store)).toBe(called);
  });

  test.each<[string, Step[], string | null]>([
    ['nothing else', ['withdraw'], null],
    ['a claim that ends them', ['withdraw', 'claim'], null],
    ['their leaving the list', ['withdraw', 'leave'], 'left_list'],
    ['a list that stops them', ['withdraw', 'stop'], EMPTY],
  ])('after a call and %s an undo takes the withdrawal back', async (_, steps, why) => {
    for (const how of ['no_answer', 'released', 'not_placed'] as const) {
      const store = await onePerson();
      const { attemptId } = await claimedOne(store);
      await DOES.withdraw(store);
      if (how === 'released') await store.recordDial(attemptId, released());
      if (how === 'not_placed') {
        await store.recordDial(attemptId, unknown());
        await store.resolve(attemptId, notPlaced());
      }
      if (how === 'no_answer') {
        await store.recordDial(attemptId, placed('call_1'));
        await store.recordPoll(attemptId, settled('call_1', NO_ANSWER));
      }
      await doAll(store, steps.slice(1));

      expect(await DOES.undo(store)).toMatchObject({ kind: 'undone', why });
      expect(await isCalled(store)).toBe(why === null);
      await doAll(store, why === null ? [] : ['mend']);
      // Who was perhaps called does not come back by a list.
      expect(await isCalled(store)).toBe(why !== null && how !== 'no_answer');
    }
  });

  test('an undo tells what a list says, and ends who waited at once', async () => {
    const store = await onePerson();
    await doAll(store, ['withdraw', 'stop']);

    expect(await DOES.undo(store)).toEqual({ kind: 'undone', state: 'done', why: EMPTY });

    const row = { state: 'done', result: 'cancelled', reason: EMPTY };
    expect(await exported(store)).toMatchObject([row]);
  });

  test('who left a list and is stopped by the one that has them again stays out', async () => {
    const store = await onePerson();
    await doAll(store, ['leave', 'stop']);
    expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([]);
    expect(await store.waitAgain(CAMPAIGN, [OWN], START)).toBe(0);
    expect(await isCalled(store)).toBe(false);
  });
});

describe('who is withdrawn after an end in doubt', () => {
  async function doubted(): Promise<{ store: Store; attemptId: string }> {
    const store = await onePerson();
    const { attemptId } = await dialled(store, unknown());
    await store.sweep(aSweep({ now: START + HOUR }));
    return { store, attemptId };
  }

  test.each([
    [['withdraw'], false],
    [['withdraw', 'undo'], true],
  ] as const)(
    'is called again after a call that is found if it says so: %j',
    async (steps, called) => {
      const { store, attemptId } = await doubted();
      await doAll(store, steps);
      await store.recordPoll(
        attemptId,
        settled('call_1', { result: 'no_answer', source: 'service' }),
      );
      expect(await isCalled(store)).toBe(called);
    },
  );

  test('is in the history, also when that is undone', async () => {
    const { store } = await doubted();
    const before = (await store.history(CAMPAIGN)).length;

    expect(await DOES.withdraw(store)).toBe('done_in_doubt');
    expect(await DOES.undo(store)).toEqual({ kind: 'undone', state: 'done', why: null });

    expect(await store.history(CAMPAIGN)).toHaveLength(before + 2);
    expect(await DOES.undo(store)).toEqual({ kind: 'not_cancelled' });
  });

  test('is told apart from who is done for good', async () => {
    const { store, attemptId } = await doubted();
    await store.recordPoll(attemptId, settled('call_1'));
    const before = await store.history(CAMPAIGN);

    expect(await DOES.withdraw(store)).toBe('done');
    expect(await DOES.undo(store)).toEqual({ kind: 'not_cancelled' });
    expect(await store.history(CAMPAIGN)).toEqual(before);
  });
});

test('who left a list stays out where a call of theirs may have rung, also if the tables say so against all rules', async () => {
  const { path, store } = await aRunningDatabase({ leads: 1 });
  const { phone } = await dialled(store, unknown());
  change(
    path,
    `UPDATE leads SET state = 'done', result = 'cancelled', result_source = 'callsheet', reason = 'left_list'
     WHERE state = 'calling'`,
  );

  expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([phone]);
  expect(await store.waitAgain(CAMPAIGN, [phone], START)).toBe(0);
});

test('a campaign that an older callsheet has cancelled is brought back unless somebody was called after that', async () => {
  const { path, store } = await aRunningDatabase({ leads: 1 });
  const entry = { at: START, who: 'x', what: 'campaign.cancelled', detail: {} };
  await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, entry);
  change(path, 'UPDATE campaigns SET cancelled_after = NULL');

  expect(await store.undoCancel(CAMPAIGN, entry)).toMatchObject({ kind: 'undone' });
});
