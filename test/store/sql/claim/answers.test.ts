import { describe, expect, it } from 'vitest';
import type { DialRecord } from '../../../../src/store/port.ts';
import {
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  rejected,
  released,
  settled,
  unknown,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aConnection, aRunningDatabase } from '../../sqlite/database.ts';

/** A person may say "not placed" only of a dial that the service did not answer: the row must know. */
describe('the time of the answer', () => {
  it.each<[string, DialRecord]>([
    ['placed', placed('call_1')],
    ['rejected', rejected()],
    ['refused', released('refused_without_effect')],
    ['unknown, with an answer that could not be read', unknown(START + 100, true)],
  ])("is that of the service's own: %s", async (_, answer) => {
    const { store, intent, answeredAt } = await aDial();

    await store.recordDial(intent.attemptId, answer);

    expect(answeredAt()).toBe(START + 100);
  });

  it.each<[string, DialRecord]>([
    ['a dial that was never sent', released('never_sent')],
    ['a dial whose answer was lost', unknown()],
  ])('is none for %s', async (_, answer) => {
    const { store, intent, answeredAt } = await aDial();

    await store.recordDial(intent.attemptId, answer);

    expect(answeredAt()).toBeNull();
  });

  it('is none while time alone decides, and that of the answer when it comes after all', async () => {
    const { store, intent, answeredAt } = await aDial();
    await store.sweep(aSweep({ gone: await store.intentOwners(CAMPAIGN) }));
    await store.sweep(aSweep({ now: START + 600_000 }));
    expect(answeredAt()).toBeNull();

    await store.recordDial(intent.attemptId, placed('call_1', START + 900_000));

    expect(answeredAt()).toBe(START + 900_000);
  });

  it('is known of an answer, too, that came late and could not be read', async () => {
    const { store, intent, answeredAt } = await aDial();
    await store.sweep(aSweep({ gone: await store.intentOwners(CAMPAIGN) }));

    expect(await store.recordDial(intent.attemptId, unknown(START + 7_000, true))).toBe('stayed');

    expect(answeredAt()).toBe(START + 7_000);
  });

  it('is known of an answer, too, that names the call of another attempt', async () => {
    const { store, intent, answeredAt } = await aDial();
    await dialled(store, placed('call_1'));

    expect(await store.recordDial(intent.attemptId, placed('call_1', START + 50))).toBe('conflict');

    expect(answeredAt()).toBe(START + 50);
  });

  it('stays that of the first answer, whatever is learned later', async () => {
    const { store, intent, answeredAt } = await aDial();
    await store.recordDial(intent.attemptId, placed('call_1'));

    await store.recordDial(intent.attemptId, placed('call_1', START + 5_000));
    await store.recordPoll(intent.attemptId, settled('call_1'));

    expect(answeredAt()).toBe(START + 100);
  });

  it('is none for a call that its analytics alone prove', async () => {
    const { store, intent, answeredAt } = await aDial();
    await store.recordDial(intent.attemptId, unknown());

    await store.recordPoll(intent.attemptId, settled('call_1'));

    expect(answeredAt()).toBeNull();
  });
});

async function aDial() {
  const { path, store } = await aRunningDatabase();
  const intent = await claimedOne(store);
  const select = aConnection(path)
    .prepare<[number], number | null>('SELECT answered_at FROM attempts WHERE seq = ?')
    .pluck();
  return { store, intent, answeredAt: () => select.get(Number(intent.attemptId.slice(1))) };
}
