import { describe, expect, it } from 'vitest';
import { sqlOf } from '../../../../src/store/sql/sql.ts';
import { tablesOf } from '../../../../src/store/sql/tables/tables.ts';
import {
  CAMPAIGN,
  claimedOne,
  dialled,
  exported,
  placed,
  rejected,
  rowOf,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aConnection, aRunningDatabase } from '../../sqlite/database.ts';

/** The second lock on the door: the transaction of a claim or record has looked at the state before. */
describe('a guarded update', () => {
  it('claims a lead only while it waits', async () => {
    const { store, leads } = await setup();
    const intent = await claimedOne(store);
    const { row = 0 } = leads.find(CAMPAIGN, intent.phone) ?? {};

    expect(() => {
      leads.markClaimed(row);
    }).toThrow('no row was changed');

    expect(await rowOf(store, intent)).toMatchObject({ attempts: 1 });
  });

  it('claims a list of a folder for one process alone', async () => {
    const { store } = await setup();
    const claim = (pid: number) =>
      store.claimWatched(
        CAMPAIGN,
        {
          ...{ sha256: 'ff00', path: '/lists/a.csv', at: START },
          taker: { host: 'host-1', boot: 'boot-1', pid, seenAt: START },
        },
        null,
      );

    expect([await claim(1), await claim(2)]).toEqual([true, false]);
  });

  it('moves an attempt only from the state it was decided in', async () => {
    const { store, attempts, asRead, before } = await rejectedMeanwhile();

    expect(() =>
      attempts.apply(asRead, { type: 'refused' }, { at: START, detail: 'over capacity' }),
    ).toThrow('no row was changed');

    expect(await exported(store)).toEqual(before);
  });

  it('places only what is an intent', async () => {
    const { store, attempts, asRead, before } = await rejectedMeanwhile();

    expect(() =>
      attempts.apply(
        asRead,
        { type: 'placed', callId: 'call_1' },
        { at: START, detail: 'HTTP 201', answered: true, nextPollAt: START },
      ),
    ).toThrow('no row was changed');

    expect(await exported(store)).toEqual(before);
  });

  it('settles only what is placed', async () => {
    const { store, attempts } = await setup();
    const intent = await dialled(store, placed('call_1'));
    const asRead = attempts.get(intent.attemptId);
    await store.recordPoll(intent.attemptId, { kind: 'ended', at: START, nextPollAt: START });
    const before = await exported(store);

    const outcome = { result: 'answered', source: 'service' } as const;
    expect(() =>
      attempts.apply(
        asRead,
        { type: 'settled', callId: 'call_1' },
        { at: START, detail: null, outcome },
      ),
    ).toThrow('no row was changed');

    expect(await exported(store)).toEqual(before);
  });
});

/** An intent as it was read, and what has become of it since. */
async function rejectedMeanwhile() {
  const { store, attempts } = await setup();
  const intent = await claimedOne(store);
  const asRead = attempts.get(intent.attemptId);
  await store.recordDial(intent.attemptId, rejected());
  return { store, attempts, asRead, before: await exported(store) };
}

async function setup() {
  const { path, store } = await aRunningDatabase();
  const db = aConnection(path);
  const sql = sqlOf(db);
  const { leads, attempts } = tablesOf(sql);
  return { store, leads, attempts };
}
