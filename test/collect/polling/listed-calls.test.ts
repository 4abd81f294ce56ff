import { describe, expect, it } from 'vitest';
import type { ListedCall } from '../../../src/service/port.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { aPhone } from '../../helpers/factory.ts';
import { BY_KEY, BY_NUMBER, contradictions, isFirst, listed, listing, states } from './listing.ts';

describe('by its number alone a lost call is found', () => {
  it('when it is the one doubt about that number', async () => {
    const { scene, run } = await listing({ leads: 3, lost: isFirst }, BY_NUMBER);

    await run();

    expect(await states(scene)).toEqual(Array(3).fill('done answered'));
    const [row] = await scene.rows();
    expect(row?.attempt).toMatchObject({ callId: 'lost_1' });
  });

  it('although the service tells its time in whole seconds', async () => {
    const { scene, run } = await listing({ leads: 3, lost: isFirst }, BY_NUMBER, (calls) =>
      listed(calls.map((call) => ({ ...call, startedAt: wholeSecond(call.startedAt) }))),
    );

    await run();

    expect(await states(scene)).toEqual(Array(3).fill('done answered'));
  });

  const spoiled: [string, (call: ListedCall) => ListedCall[]][] = [
    ['two calls to it are listed', (call) => [call, { ...call, callId: 'another' }]],
    ['the call has another agent', (call) => [{ ...call, agent: 'ag_9' }]],
    [
      'the call began before the dial',
      (call) => [{ ...call, startedAt: Number(call.startedAt) - 1_500 }],
    ],
    ['the list does not say when', (call) => [{ ...call, startedAt: null }]],
    ['the call has another key', (call) => [{ ...call, attemptKey: 'key_of_others' }]],
    [
      'others come back with their keys',
      (call) => [call, { ...call, callId: 'x', phone: aPhone(9), attemptKey: 'k' }],
    ],
  ];
  it.each(spoiled)('and not when %s', async (_why, spoil) => {
    const { scene, run } = await listing({ leads: 1, lost: isFirst }, BY_NUMBER, (calls) =>
      listed(calls.flatMap(spoil)),
    );

    await run();

    expect(await states(scene)).toEqual(['calling null']);
    expect(await contradictions(scene)).toEqual([]);
  });

  it.each([2, 1])(
    'and not when two doubts are about that number, and %d calls: both stay',
    async (count) => {
      const { scene, run, service } = await listing(
        { leads: 1, lost: () => true },
        BY_NUMBER,
        (calls) => listed(calls.slice(-count)),
      );
      const other = await addCampaign(scene.store, { name: 'other', from: 0, leads: 1 });
      await run({ campaign: other, dialAt: { service, maxCalls: null }, collectFrom: [] });

      await run();

      for (const { id } of [scene.campaign, other]) {
        expect(await scene.store.doubts(id)).toMatchObject([{ state: 'unknown' }]);
      }
      expect(scene.service.calls).toHaveLength(2);
    },
  );
});

describe('a list of calls that says what cannot be true', () => {
  it('with two calls of one key is kept in the history, once, and settles nothing', async () => {
    const { scene, run, lists } = await listing({ leads: 2, lost: isFirst }, BY_KEY, (calls) =>
      listed(calls.flatMap((call) => [call, { ...call, callId: `${call.callId}_again` }])),
    );

    await run();
    await run();

    expect(await states(scene)).toEqual(['calling null', 'done answered']);
    expect(await contradictions(scene)).toEqual([
      'the service lists calls lost_1 and lost_1_again with the key of this one dial',
      expect.stringMatching(/^the service lists calls call_main_2 and call_main_2_again /),
    ]);
    // The second run does not know that no list can help.
    expect(lists).toHaveLength(2);
    expect(scene.notices.filter(({ event }) => event === 'doubt.contradicted')).toHaveLength(2);
  });

  it('with our key and another number settles nothing', async () => {
    const { scene, run } = await listing({ leads: 1, lost: isFirst }, BY_KEY, (calls) =>
      listed(calls.map((call) => ({ ...call, phone: aPhone(77) }))),
    );

    await run();

    expect(await states(scene)).toEqual(['calling null']);
    expect(await contradictions(scene)).toEqual([expect.stringContaining('another number')]);
  });

  it('with one word for all calls where the key is looked for says nothing of them', async () => {
    const { scene, run } = await listing({ leads: 3, lost: isFirst }, BY_KEY, (calls) =>
      listed(calls.map((call) => ({ ...call, attemptKey: 'outbound' }))),
    );

    await run();

    expect(await states(scene)).toEqual(['calling null', 'done answered', 'done answered']);
    expect(await contradictions(scene)).toEqual([]);
  });
});

function wholeSecond(at: number | null): number {
  return Math.floor(Number(at) / 1_000) * 1_000;
}
