import { describe, expect, it } from 'vitest';
import type { E164 } from '../../src/domain/phone.ts';
import { DAY_MS } from '../../src/domain/time-units.ts';
import { addLeads, aScene, type Scene } from '../helpers/campaign-run.ts';
import { aPhone } from '../helpers/factory.ts';
import { refused, rejected } from '../helpers/services/service-double.ts';

const MINUTE = 60_000;
const BLACKLISTED = { ...refused(), detail: 'HTTP 429; received: this number is blacklisted' };

async function rowOf(scene: Scene, phone: E164) {
  return (await scene.rows()).find((row) => row.phone === phone);
}

describe('a number that the service refuses again and again', () => {
  it('waits while everybody else is called, and ends as rejected with the reason the evening after', async () => {
    const scene = await aScene({
      leads: 25,
      settings: { concurrency: 5, requests: 5 },
      dial: ({ phone }) => (phone === aPhone(7) ? { answer: BLACKLISTED } : { talkMs: 30_000 }),
    });

    const end = await scene.run();

    expect(end).toMatchObject({ dispatch: 'later', drained: true });
    expect(await rowOf(scene, aPhone(7))).toMatchObject({ state: 'waiting', attempts: 0 });
    const others = (await scene.rows()).filter(({ phone }) => phone !== aPhone(7));
    expect(others.map(({ result }) => result)).toEqual(Array(24).fill('answered'));

    await scene.night.pass(scene.clock.sleep(DAY_MS));
    expect(await scene.run()).toMatchObject({ dispatch: 'none_waiting' });

    expect(await rowOf(scene, aPhone(7))).toMatchObject({ result: 'rejected', attempts: 0 });
    expect((await rowOf(scene, aPhone(7)))?.reason).toMatch(
      /^refused \d+ times in a row: .*blacklisted/,
    );
  });

  it('keeps no run alive for hours where it is the last, and is not given up: the service may be full', async () => {
    const scene = await aScene({ leads: 1, dial: () => ({ answer: BLACKLISTED }) });
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.dispatch).toBe('later');
    expect(scene.clock.now() - startedAt).toBeLessThan(30 * MINUTE);
    expect(scene.service.dials).toHaveLength(21);
    expect(await rowOf(scene, aPhone(0))).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it.each([
    ['for one reason', () => BLACKLISTED],
    [
      'for another each time',
      (n: number) => ({ ...refused(), detail: n % 2 === 0 ? 'HTTP 429; later' : 'HTTP 429; no' }),
    ],
  ])(
    '%s, while others are called, is given up after as many as the campaign says',
    async (_, no) => {
      const scene = await aScene({
        leads: 3,
        settings: { refusals: 2 },
        dial: ({ phone }, n) => (phone === aPhone(0) ? { answer: no(n) } : {}),
      });
      await scene.run({ until: scene.clock.now() + MINUTE });
      await addLeads(scene.store, scene.campaign.id, { from: 10, leads: 3 });

      await scene.run();

      expect(await rowOf(scene, aPhone(0))).toMatchObject({ result: 'rejected' });
      expect((await rowOf(scene, aPhone(0)))?.reason).toMatch(/^refused \d times/);
    },
  );
});

describe('a service without room', () => {
  it('costs nobody anything, however long its calls are and few they are at once', async () => {
    const scene = await aScene({
      leads: 9,
      settings: { concurrency: 10, requests: 10 },
      capacity: 3,
      dial: () => ({ talkMs: 100_000 }),
    });

    await scene.run({ othersEveryMs: 5_000 });

    expect(scene.service.refusals.length).toBeGreaterThan(12);
    const rows = await scene.rows();
    expect(rows.map(({ result }) => result)).toEqual(Array(9).fill('answered'));
  });

  it('costs the one that is too many nothing, however often it is refused alone', async () => {
    const scene = await aScene({
      leads: 4,
      settings: { concurrency: 4, requests: 4 },
      capacity: 3,
      dial: () => ({ talkMs: 200_000 }),
    });

    await scene.run({ othersEveryMs: 5_000 });

    expect(scene.service.refusals.length).toBeGreaterThan(10);
    const rows = await scene.rows();
    expect(rows.map(({ result }) => result)).toEqual(Array(4).fill('answered'));
  });

  it('costs nobody anything in a long list, though calls end that no poll has seen yet', async () => {
    const scene = await aScene({
      leads: 150,
      settings: { concurrency: 10, requests: 10 },
      capacity: 3,
      dial: (_, n) => ({ talkMs: 5_000 + ((n * 37) % 100) * 2_000 }),
    });

    await scene.run({ othersEveryMs: 5_000 });

    const rows = await scene.rows();
    expect(rows.filter(({ result }) => result !== 'answered')).toEqual([]);
  });

  it('that takes nobody for a quarter of an hour, as others use it, loses nobody', async () => {
    const scene = await aScene({ leads: 8, capacity: 0 });
    const run = scene.start({ othersEveryMs: 5_000 });
    await scene.night.until(() => scene.service.refusals.length > 60);
    scene.service.capacity = Infinity;

    await scene.night.pass(run);

    const rows = await scene.rows();
    expect(rows.map(({ result }) => result)).toEqual(Array(8).fill('answered'));
  });

  it.each([1, 2])(
    'that others fill for a quarter of an hour loses not the last %i of a list',
    async (leads) => {
      const scene = await aScene({ leads, capacity: 0 });
      const run = scene.start({ othersEveryMs: 5_000 });
      await scene.night.until(() => scene.service.refusals.length > 10 * leads);
      scene.service.capacity = Infinity;

      await scene.night.pass(run);

      const rows = await scene.rows();
      expect(rows.map(({ result }) => result)).toEqual(Array(leads).fill('answered'));
    },
  );

  it('that takes nobody for a quarter of an hour and says so in changing words loses nobody', async () => {
    let isFull = true;
    const reasons = ['HTTP 429; busy', 'HTTP 429; full'];
    const scene = await aScene({
      leads: 4,
      dial: (_, n) =>
        isFull ? { answer: { ...refused(), detail: reasons[Math.floor(n / 3) % 2] ?? '' } } : {},
    });
    const run = scene.start({ othersEveryMs: 5_000 });
    await scene.night.until(() => scene.service.dials.length > 60);
    isFull = false;

    await scene.night.pass(run);

    const rows = await scene.rows();
    expect(rows.map(({ result }) => result)).toEqual(Array(4).fill('answered'));
  });

  it('that takes nobody at all ends a run in the end, and everybody waits', async () => {
    const scene = await aScene({ leads: 3, capacity: 0 });

    const end = await scene.run({ othersEveryMs: 5_000 });

    expect(end.dispatch).toBe('later');
    expect(end.nextAt).toBeGreaterThan(scene.clock.now());
    const rows = await scene.rows();
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(3).fill(['waiting', 0]),
    );
  });

  it('with several numbers that it never takes ends the run, too', async () => {
    const scene = await aScene({
      leads: 10,
      settings: { concurrency: 5, requests: 5 },
      dial: ({ phone }) =>
        [6, 7, 8, 9].some((n) => phone === aPhone(n)) ? { answer: BLACKLISTED } : {},
    });

    const end = await scene.run({ othersEveryMs: 5_000 });

    expect(['later', 'none_waiting']).toContain(end.dispatch);
    const called = (await scene.rows()).filter(({ result }) => result === 'answered');
    expect(called).toHaveLength(6);
  });
});

describe('five equal answers in a row', () => {
  const misconfigured = rejected(400, 'HTTP 400; received: cannot start the call');

  it('cost no lead anything, in no run', async () => {
    const dial = () => ({ answer: misconfigured });
    const scene = await aScene({ leads: 20, settings: { concurrency: 1 }, dial });

    for (let night = 0; night < 3; night++) {
      const { dispatch } = await scene.run();
      expect(dispatch).toBe('paused');
      await scene.store.changeCampaign(
        scene.campaign.id,
        { state: 'running' },
        { at: scene.clock.now(), who: 'operator', what: 'campaign.resumed', detail: {} },
      );
    }

    const rows = await scene.rows();
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(20).fill(['waiting', 0]),
    );
  });

  it('are no five where the profile knows that each speaks of its number', async () => {
    const answer = { ...misconfigured, named: true as const };
    const dial = () => ({ answer });
    const scene = await aScene({ leads: 8, settings: { concurrency: 1 }, dial });

    const end = await scene.run();

    expect(end.dispatch).toBe('none_waiting');
    const rows = await scene.rows();
    expect(rows.map(({ result }) => result)).toEqual(Array(8).fill('rejected'));
  });
});
