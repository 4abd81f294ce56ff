import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  rejected,
  released,
  rowOf,
  settled,
  unknown,
} from '../../../conformance/store/setup.ts';
import { someRetry } from '../../../conformance/store/retries.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { shortHash } from '../../../../src/runtime/random.ts';
import { aRunningDatabase, change } from '../../sqlite/database.ts';

describe('a claim', () => {
  it('has a new key, a hash of campaign, number and count, after a spent attempt', async () => {
    const { path, store } = await aRunningDatabase({ leads: 1 });
    const first = await dialled(store, rejected());
    letWaitAgain(path);

    const second = await claimedOne(store);

    expect(first).toMatchObject({ ordinal: 1, key: shortHash([CAMPAIGN, aPhone(0), 1]) });
    expect(second).toMatchObject({ ordinal: 2, key: shortHash([CAMPAIGN, aPhone(0), 2]) });
  });

  it('is refused by the database where a lead is waiting beside an open attempt', async () => {
    const { path, store } = await aRunningDatabase({ leads: 1, settings: { retry: someRetry() } });
    await claimedOne(store);
    change(path, `UPDATE leads SET state = 'waiting' WHERE campaign_id = '${CAMPAIGN}'`);

    await expect(store.claim(aClaim())).rejects.toThrow('attempts.lead_row');
  });

  it('stays as it is when the answer of an earlier attempt comes late', async () => {
    const { store, first, second } = await aPersonCalledTwice();

    expect(await store.recordDial(first.attemptId, rejected())).toBe('moved');

    expect(await rowOf(store, second)).toMatchObject({ state: 'calling', attempts: 2 });
    expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });
  });
});

describe('a person who was called twice', () => {
  it.each(['never_sent', 'refused_without_effect'] as const)(
    'does not wait again when the first dial turns out to be %s after the second call',
    async (reason) => {
      const { store, first, second } = await aPersonCalledTwice();
      await store.recordDial(second.attemptId, placed('call_2'));
      await store.recordPoll(second.attemptId, settled('call_2'));

      expect(await store.recordDial(first.attemptId, released(reason))).toBe('moved');

      expect(await rowOf(store, second)).toMatchObject({
        state: 'done',
        result: 'answered',
        reason: null,
        attempt: { callId: 'call_2' },
      });
      expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });
    },
  );

  it('keeps the result of the second call when the first one is found after it', async () => {
    const { store, first, second } = await aPersonCalledTwice();
    await store.recordDial(second.attemptId, placed('call_2'));
    await store.recordPoll(second.attemptId, settled('call_2'));

    expect(await store.recordDial(first.attemptId, placed('call_1'))).toBe('moved');
    expect(await rowOf(store, second)).toMatchObject({ state: 'calling', result: null });

    const look = settled('call_1', { result: 'no_answer' });
    expect(await store.recordPoll(first.attemptId, look)).toBe('moved');
    expect(await rowOf(store, second)).toMatchObject({ state: 'done', result: 'answered' });
  });

  it('is not called a third time while the first call, found late, is still open', async () => {
    const { path, store, first, second } = await aPersonCalledTwice();
    await store.recordDial(second.attemptId, rejected());
    letWaitAgain(path);

    expect(await store.recordDial(first.attemptId, placed('call_1'))).toBe('moved');
    expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'none_waiting' });

    await store.recordPoll(first.attemptId, settled('call_1'));
    expect(await rowOf(store, second)).toMatchObject({ state: 'done', result: 'answered' });
  });

  it.each([rejected(), released('never_sent', START + 99_000)])(
    'and waits for a third call goes on waiting when the first answer comes late: $kind',
    async (answer) => {
      const { path, store, first, second } = await aPersonCalledTwice();
      await store.recordDial(second.attemptId, rejected());
      letWaitAgain(path);
      const before = await rowOf(store, second);

      expect(await store.recordDial(first.attemptId, answer)).toBe('moved');

      const { state, reason, notBefore } = before;
      expect(await rowOf(store, second)).toMatchObject({ state, reason, notBefore });
      expect(await claimedOne(store)).toMatchObject({ phone: second.phone, ordinal: 3 });
    },
  );

  it('waits at no cost when both dials turn out to have had no effect, whichever is known first', async () => {
    const { store, first, second } = await aPersonCalledTwice();
    await store.recordDial(first.attemptId, released('never_sent'));
    await store.recordDial(second.attemptId, released('never_sent'));

    const third = await claimedOne(store);

    expect(third).toMatchObject({ key: first.key, ordinal: 1 });
    expect(await rowOf(store, third)).toMatchObject({ state: 'calling', attempts: 1 });
  });
});

/** Nobody is called again after a call in doubt: the lead is put back by hand. */
async function aPersonCalledTwice() {
  const { path, store } = await aRunningDatabase({ leads: 1, settings: { retry: someRetry() } });
  const first = await dialled(store, unknown());
  await store.sweep(aSweep({ now: START + 600_100 }));
  letWaitAgain(path);
  const second = await claimedOne(store);
  return { path, store, first, second };
}

function letWaitAgain(path: string): void {
  change(
    path,
    `UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL
     WHERE campaign_id = '${CAMPAIGN}'`,
  );
}
