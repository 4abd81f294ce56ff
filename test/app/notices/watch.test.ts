import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/runtime/errors.ts';
import { thisProcess } from '../../../src/runtime/process.ts';
import { aSweep, claimedOne, ENTRY, placed } from '../../conformance/store/setup.ts';
import { addLeads } from '../../helpers/campaign-run.ts';
import { START } from '../../helpers/clock.ts';
import { insteadOf } from '../lists/a-folder.ts';
import { aScene, HOUR, PLACED, WAITS } from './scene.ts';

/** When the night of 2026-01-05 ends: at 05:00 in New York. */
const BORDER = Date.UTC(2026, 0, 6, 10);

describe('a night', () => {
  it('is told when its first call is made, once, whatever processes call in it', async () => {
    const { campaign, process, told, call } = await aScene();
    const [one, other] = [process(), process()];
    await call('call_1');
    for (const watch of [one, one, other]) watch.heard(campaign, PLACED);
    await Promise.all([one.settled(), other.settled()]);
    expect(await told()).toMatchObject([
      {
        ...{ event: 'started', reason: 'calls', campaign: 'spring', night: '2026-01-05' },
        text: 'spring: calling has begun for the night of 2026-01-05.',
      },
    ]);
  });

  it('is told again on the next day', async () => {
    const { campaign, clock, process, told, call } = await aScene();
    const watch = process();
    await call('call_1');
    watch.heard(campaign, PLACED);
    await watch.settled();
    await clock.advance(24 * HOUR);
    await call('call_2');
    watch.heard(campaign, PLACED);
    await watch.settled();
    expect((await told()).map(({ night }) => night)).toEqual(['2026-01-05', '2026-01-06']);
  });

  it('is not told as begun where its only call belongs to the night before, but when it has one', async () => {
    const { campaign, store, clock, process, told } = await aScene();
    const watch = process();
    await clock.advance(BORDER - START - 1);
    const { attemptId } = await claimedOne(store, { campaignId: campaign.id, now: clock.now() });
    await clock.advance(2);
    await store.recordDial(attemptId, placed('call_1', clock.now()));
    watch.heard(campaign, PLACED);
    await watch.settled();
    expect((await told()).map(({ event, night }) => [event, night])).toEqual([
      ['started', '2026-01-05'],
    ]);

    const next = await claimedOne(store, { campaignId: campaign.id, now: clock.now() });
    await store.recordDial(next.attemptId, placed('call_2', clock.now()));
    for (const each of [PLACED, PLACED]) watch.heard(campaign, each);
    await watch.settled();
    expect((await told()).map(({ event, night }) => [event, night])).toEqual([
      ['started', '2026-01-06'],
    ]);
  });

  it('is told as finished when a run ends, with counts and results, but not when it was interrupted', async () => {
    const { campaign, process, told, call } = await aScene();
    const watch = process();
    await call('call_1');
    watch.heard(campaign, PLACED);
    await watch.runEnded(campaign, { code: EXIT.interrupted, why: 'Interrupted.' }, null);
    expect(await told()).toMatchObject([{ event: 'started' }]);
    await watch.runEnded(campaign, WAITS, '/srv/spring.csv');
    await watch.runEnded(campaign, WAITS, '/srv/spring.csv');
    expect(await told()).toMatchObject([
      {
        ...{ event: 'finished', reason: 'run', night: '2026-01-05', results: '/srv/spring.csv' },
        text: 'spring: a run has ended: tonight 1 call made, 0 refused, 0 in doubt, 0 not made; 1 answered; 1 of 3 leads final, 2 waiting. 4 leads wait.',
        counts: { leads: 3, done: 1, waiting: 2, calls: 1, results: { answered: 1 } },
        tonight: { calls: 1, answered: 1 },
      },
    ]);
  });

  it('whose process was killed is told by the next one, with results, once it is over', async () => {
    const { campaign, clock, process, told, call } = await aScene();
    const killed = process();
    await call('call_1');
    killed.heard(campaign, PLACED);
    await killed.settled();
    await told();
    const next = process();
    await next.tellNights();
    expect(await told()).toEqual([]);
    await clock.advance(24 * HOUR);
    await Promise.all([next.tellNights(), process().tellNights()]);
    expect(await told()).toMatchObject([
      {
        event: 'finished',
        reason: 'night',
        night: '2026-01-05',
        results: expect.stringMatching(/results.spring\.csv$/) as string,
      },
    ]);
  });

  it('is told by the next process when the first one died right after its call', async () => {
    const { clock, process, told, call } = await aScene();
    await call('call_1');
    await clock.advance(20 * HOUR);
    const next = process();
    await next.tellNights();
    await next.tellNights();
    expect(await told()).toMatchObject([
      { event: 'started', night: '2026-01-05', at: '2026-01-05T15:00:00.000Z' },
      { event: 'finished', night: '2026-01-05', tonight: { calls: 1 } },
    ]);
    await clock.advance(24 * HOUR);
    await process().tellNights();
    expect(await told()).toEqual([]);
  });

  it('is told a second time only if calls were made after the first', async () => {
    const { campaign, clock, process, told, call } = await aScene();
    const watch = process();
    await call('call_1');
    watch.heard(campaign, PLACED);
    await watch.runEnded(campaign, WAITS, null);
    await told();
    await call('call_2');
    await watch.runEnded(campaign, WAITS, null);
    expect(await told()).toEqual([]);
    await clock.advance(24 * HOUR);
    await watch.tellNights();
    expect(await told()).toMatchObject([{ reason: 'night', tonight: { calls: 2 } }]);

    await call('call_3');
    watch.heard(campaign, PLACED);
    await watch.runEnded(campaign, WAITS, null);
    await told();
    await clock.advance(24 * HOUR);
    await watch.tellNights();
    expect(await told()).toEqual([]);
  });

  it('that ends the campaign says so', async () => {
    const { campaign, store, process, told, call } = await aScene();
    const watch = process();
    for (const id of ['call_1', 'call_2', 'call_3']) await call(id);
    watch.heard(campaign, PLACED);
    await watch.settled();
    await store.changeCampaign(campaign.id, { state: 'completed' }, ENTRY);
    const exit = { code: EXIT.ok, why: 'Every lead is final.' };
    await watch.runEnded(campaign, exit, '/srv/spring.csv');
    expect(await told()).toMatchObject([
      { event: 'started' },
      {
        event: 'finished',
        reason: 'campaign',
        text: expect.stringContaining('is completed') as string,
      },
    ]);
  });
});

it('a campaign that had ended is told as ended once more when a further list has brought calls', async () => {
  const { campaign, store, process, told, call } = await aScene();
  const watch = process();
  const exit = { code: EXIT.ok, why: 'Every lead is final.' };
  const end = async () => {
    await store.changeCampaign(campaign.id, { state: 'completed' }, ENTRY);
    await Promise.all([process().runEnded(campaign, exit, null), watch.tellNights()]);
    return (await told()).map((body) => (body as { tonight?: object }).tonight);
  };
  for (const id of ['call_1', 'call_2', 'call_3']) await call(id);
  watch.heard(campaign, PLACED);
  await watch.settled();
  await told();
  expect(await end()).toMatchObject([{ calls: 3 }]);
  expect(await end()).toEqual([]);

  await addLeads(store, campaign.id, { from: 50, leads: 1 });
  await store.changeCampaign(campaign.id, { state: 'running' }, ENTRY);
  await call('call_4');

  expect(await end()).toMatchObject([{ calls: 4 }]);
  expect(await end()).toEqual([]);
});

describe('a person who is needed', () => {
  it('is told once of a state that lasts, and of each reason by itself', async () => {
    const { campaign, process, told } = await aScene();
    const watch = process();
    const paused = { event: 'campaign.paused', reason: 'key', detail: 'HTTP 401' } as const;
    watch.heard(campaign, paused);
    watch.heard(campaign, paused);
    watch.heard(campaign, { ...paused, reason: 'operator' });
    watch.heard(campaign, { event: 'disk.full' });
    const exit = { code: EXIT.key, why: 'Paused: HTTP 401.', attention: 'key' };
    await watch.runEnded(campaign, exit, null);
    expect(await told()).toMatchObject([
      {
        event: 'attention',
        reason: 'key',
        text: expect.stringMatching(/Paused: HTTP 401\. Mend that; .*callsheet run/) as string,
      },
      {
        event: 'attention',
        reason: 'disk_full',
        text: expect.stringContaining('Make room') as string,
      },
    ]);
  });

  it('is told of a second pause in one night', async () => {
    const { campaign, store, clock, process, told } = await aScene();
    const paused = { event: 'campaign.paused', reason: 'key', detail: 'HTTP 401' } as const;
    const watch = process();
    watch.heard(campaign, paused);
    await watch.settled();
    const resumed = { ...ENTRY, at: clock.now() + 1, what: 'campaign.resumed' };
    await store.addHistory(campaign.id, resumed);
    for (const each of [watch, watch, process()]) each.heard(campaign, paused);
    await process().attention(campaign, 'key', 'x');
    expect(await told()).toMatchObject([{ reason: 'key' }, { reason: 'key' }]);
  });

  it('is told of calls in doubt only when no evidence has come in time', async () => {
    const { campaign, store, clock, process, told } = await aScene();
    const now = clock.now();
    const { attemptId } = await claimedOne(store, { campaignId: campaign.id, now });
    await store.recordDial(attemptId, {
      ...{ kind: 'unknown', at: now, detail: 'reset' },
      ...{ answered: false, accepted: false },
    });
    const watch = process();
    await watch.tellDoubts();
    await watch.settled();
    expect(await told()).toEqual([]);
    await clock.advance(HOUR);
    await store.sweep(aSweep({ campaignId: campaign.id, now: clock.now() }));
    await watch.tellDoubts();
    await watch.settled();
    const text = expect.stringMatching(/not known whether 1 call was made; .*resolve/) as string;
    expect(await told()).toMatchObject([{ event: 'attention', reason: 'doubts', text }]);
  });

  it('reads no phone number in a notice, and one line', async () => {
    const { campaign, process, told } = await aScene();
    await process().attention(campaign, 'x', 'The service said:\n+1 212 555 0123 is unknown.');
    expect(await told()).toMatchObject([
      { text: 'spring: The service said: +1***********23 is unknown.' },
    ]);
  });
});

it('a refused list is told once for its content', async () => {
  const { campaign, process, told } = await aScene();
  const watch = process();
  const code = 'LIST_HAS_NO_PHONE_COLUMN';
  const why = 'No column holds phone numbers.';
  const refused = { campaign, path: '/srv/in/a.csv', code, why, held: null };
  const list = { ...refused, hint: 'name it with --map' };
  await watch.refusedList({ ...list, sha256: 'aa' });
  await watch.refusedList({ ...list, sha256: 'aa' });
  await watch.refusedList({ ...list, sha256: 'bb' });
  expect(await told()).toMatchObject([
    {
      event: 'refusedList',
      text: 'spring: the list /srv/in/a.csv is refused: No column holds phone numbers. Next: name it with --map.',
      list: { file: '/srv/in/a.csv', machine: thisProcess().host, sha256: 'aa', code },
    },
    { event: 'refusedList', list: { sha256: 'bb' } },
  ]);
});

it('nothing is written where nobody is named', async () => {
  const { campaign, store, process, call } = await aScene([]);
  const watch = process();
  await call('call_1');
  watch.heard(campaign, PLACED);
  await watch.attention(campaign, 'key', 'x');
  await watch.settled();
  expect(await store.openNights(null)).toEqual([]);
});

it('who is named in a campaign is told of that campaign, also when it is changed while it runs', async () => {
  const { campaign, store, process, told, clock } = await aScene([]);
  const watch = process();
  const notify = [
    { on: ['attention' as const], url: 'https://a.example.com', from: 'given' as const },
  ];
  const settings = { ...campaign.settings, notify };
  await store.changeCampaign(campaign.id, { settings }, ENTRY);
  await watch.attention(campaign, 'key', 'x');
  expect(clock.now()).toBe(START);
  expect(await told()).toMatchObject([{ reason: 'key' }]);
});

it('a database that cannot be written does not stop a run; it is told where somebody may see it', async () => {
  const { campaign, store, world, process } = await aScene();
  const broken = insteadOf('outboxPut', () => Promise.reject(new Error('disk')))(store);
  await process(broken).attention(campaign, 'key', 'x');
  expect(world.err()).toContain('A notice could not be written');
});
