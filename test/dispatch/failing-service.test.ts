import { describe, expect, it } from 'vitest';
import type { PollResult } from '../../src/service/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { aPhone } from '../helpers/factory.ts';
import { neverSent, refused, unknown } from '../helpers/services/service-double.ts';

const MINUTE = 60_000;

const HOUR = 60 * MINUTE;
const DOWN = { ok: false, keyRefused: false, why: 'GET /v1/agents: down' } as const;
const POLL_FAILED: PollResult = {
  kind: 'failed',
  detail: 'HTTP 503',
  retryAfterMs: null,
  keyRefused: false,
};

describe('an outage of one hour in the middle of 100 people', () => {
  const lost = (status: number | null, answerMs = 20) => ({ answer: unknown(status), answerMs });
  /** Each begins at another moment of a night of calls of 5 s or so; some dials wait for their answer then. */
  const kinds = [
    ['503', lost(503), 15_000],
    ['a reset', lost(null), 20_013],
    ['a hang', lost(null, 30_000), 25_010],
    ['410', lost(410), 20_000],
    ['a page in place of the answer', lost(200), 12_345],
  ] as const;
  it.each(kinds)('leaves in doubt who was being dialled and one more: %s', async (...kind) => {
    const [, failure, beginsMs] = kind;
    const scene = await aScene({
      leads: 100,
      settings: { concurrency: 10, requests: 10, longestCallMs: 15 * MINUTE },
      dial: (_dial, n) => (isDown() ? failure : { talkMs: 4_000 + (n % 7) * 300 }),
      read: () => (isDown() ? POLL_FAILED : undefined),
      probe: () => (isDown() ? DOWN : { ok: true }),
    });
    const beganAt = scene.clock.now() + beginsMs;
    const endsAt = beganAt + HOUR;
    const isDown = () => scene.clock.now() >= beganAt && scene.clock.now() < endsAt;

    const end = await scene.run({ patientUntil: Infinity, othersEveryMs: 30_000 });

    expect(end.dispatch).toBe('none_waiting');
    const inDoubt = scene.service.dials.filter(({ at }) => at >= beganAt && at < endsAt);
    expect(inDoubt.length).toBeLessThanOrEqual(1);
    const rows = await scene.rows();
    expect(rows.filter(({ result }) => result === 'unconfirmed')).toHaveLength(inDoubt.length);
    expect(scene.service.rings().size).toBe(100 - inDoubt.length);
  });

  it.each(kinds)(
    'of dials alone costs three people, then a person looks: %s',
    async (_, failure) => {
      const scene = await aScene({
        leads: 100,
        settings: { concurrency: 10, requests: 10 },
        dial: () => (isDown() ? failure : { talkMs: 5_000 }),
      });
      const beganAt = scene.clock.now() + 20_000;
      const isDown = () => scene.clock.now() >= beganAt;

      const end = await scene.run({ patientUntil: Infinity, othersEveryMs: 5_000 });

      expect(end.dispatch).toBe('paused');
      const failed = scene.service.dials.filter(({ at }) => at >= beganAt);
      expect(failed.length).toBeLessThanOrEqual(5);
      if (failure.answer.status === 200) return;
      const [first, second, third, ...others] = failed.map(({ at }) => at);
      expect(others).toEqual([]);
      expect(Number(second) - Number(first)).toBeLessThan(MINUTE);
      expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(2 * MINUTE);
      expect(await scene.store.findCampaign('spring')).toMatchObject({
        pauseReason: 'breaker',
        pauseDetail: failure.answer.detail,
      });
      expect(
        scene.notices.map(({ event }) => event).filter((e) => e.startsWith('breaker')),
      ).toEqual(['breaker.opened']);
    },
  );
});

describe('a service that fails', () => {
  it.each([
    ['a lost answer', unknown()],
    ['a 500', unknown(500)],
    ['a connection refused', neverSent()],
  ])('is read after %s, and dialled when a read has succeeded', async (_, answer) => {
    let tries = 0;
    const scene = await aScene({
      leads: 30,
      settings: { concurrency: 20, requests: 1, longestCallMs: MINUTE },
      dial: () => (++tries === 3 ? { answer } : { talkMs: 10 }),
      probe: (n) => (n < 2 ? DOWN : { ok: true }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('none_waiting');
    const [first, second, third, ...others] = scene.service.probes;
    expect(others).toEqual([]);
    expect([Number(second) - Number(first), Number(third) - Number(second)]).toEqual([
      5_000, 10_000,
    ]);
    const meanwhile = ({ at }: { at: number }) => at > Number(first) && at < Number(third);
    expect(scene.service.dials.filter(meanwhile)).toEqual([]);
    const told = scene.notices.flatMap(({ event }) =>
      event.startsWith('breaker') || event === 'call.placed' ? [event] : [],
    );
    const opened = told.indexOf('breaker.opened');
    expect(told.slice(opened, opened + 3)).toEqual([
      ...['breaker.opened', 'call.placed', 'breaker.closed'],
    ]);
  });

  it('is not told of where a read succeeds at once and the next dial goes well', async () => {
    let tries = 0;
    const scene = await aScene({
      leads: 30,
      dial: () => (++tries % 10 === 5 ? { answer: unknown() } : { talkMs: 10 }),
    });

    await scene.run();

    expect(scene.service.probes).toHaveLength(3);
    expect(scene.notices.some(({ event }) => event.startsWith('breaker'))).toBe(false);
  });

  it('when it is polled is read before the next dial', async () => {
    let fails = false;
    const scene = await aScene({
      leads: 30,
      settings: { concurrency: 2 },
      read: () => (fails ? POLL_FAILED : undefined),
      probe: () => (fails ? DOWN : { ok: true }),
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 2);
    fails = true;
    await scene.night.until(() => scene.service.probes.length === 3);
    const dials = scene.service.dials.length;
    expect(dials).toBe(2);

    fails = false;
    await scene.night.pass(run);

    expect(scene.service.rings().size).toBe(30);
  });

  it('is not left alone for refusals', async () => {
    const scene = await aScene({
      leads: 5,
      settings: { concurrency: 1 },
      dial: (_, n) => (n < 15 ? { answer: refused() } : { talkMs: 10 }),
    });

    await scene.run();

    expect(scene.service.probes).toEqual([]);
  });

  it('for ten minutes pauses the campaign for a person, at the cost of one', async () => {
    const scene = await aScene({
      leads: 100,
      settings: { concurrency: 5, requests: 5, longestCallMs: MINUTE },
      dial: () => ({ answer: unknown() }),
      probe: () => DOWN,
    });
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.clock.now() - startedAt).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(scene.clock.now() - startedAt).toBeLessThan(12 * MINUTE);
    expect(scene.service.dials).toHaveLength(1);
    expect(await scene.store.findCampaign('spring')).toMatchObject({
      pauseReason: 'breaker',
      pauseDetail: DOWN.why,
    });
  });

  it('is waited for as long as the run is patient, which is told after ten minutes', async () => {
    const scene = await aScene({
      leads: 3,
      dial: () => (isDown() ? { answer: neverSent() } : { talkMs: 10 }),
      probe: () => (isDown() ? DOWN : { ok: true }),
    });
    const upAt = scene.clock.now() + 3 * HOUR;
    const isDown = () => scene.clock.now() < upAt;

    const end = await scene.run({ patientUntil: upAt + HOUR, othersEveryMs: 30_000 });

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.rings().size).toBe(3);
    expect(scene.notices.map(({ event }) => event).filter((e) => e.startsWith('breaker'))).toEqual([
      ...['breaker.opened', 'breaker.lasts', 'breaker.closed'],
    ]);
  });

  it('is read before the first dial where nobody has asked it yet', async () => {
    const scene = await aScene({ leads: 3, probe: (n) => (n === 0 ? DOWN : { ok: true }) });

    await scene.run({ readsFirst: true });

    const [first] = scene.service.dials;
    expect(scene.service.probes).toHaveLength(2);
    expect(Number(first?.at)).toBeGreaterThanOrEqual(Number(scene.service.probes[1]));
  });

  it('is called as before once a dial has gone well again', async () => {
    let tries = 0;
    const scene = await aScene({
      leads: 60,
      settings: { concurrency: 20, requests: 4, longestCallMs: MINUTE },
      dial: () => (++tries <= 3 ? { answer: neverSent() } : { answerMs: 2_000, talkMs: 10 }),
    });

    await scene.run();

    const [first, second] = scene.service.dials;
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(2_000);
    expect(scene.service.mostDials).toBe(4);
    expect(scene.service.rings().size).toBe(60);
  });

  it.each([
    ['fails', { answer: unknown() }],
    ['wants to be left alone', { answer: refused(2 * MINUTE - 1) }],
  ])('is polled no more often than where no slot is wanted, while it %s', async (_, shut) => {
    const polls = async (leads: number) => {
      const scene = await aScene({
        leads,
        settings: { concurrency: 10, requests: 10, longestCallMs: HOUR },
        dial: ({ phone }) =>
          phone === aPhone(10) ? shut : { talkMs: phone === aPhone(3) ? 30_000 : HOUR },
        probe: () => DOWN,
      });
      const stop = new AbortController();
      const run = scene.start({ patientUntil: Infinity, stop: stop.signal });
      await scene.night.sleep(45_000);
      const before = scene.service.polls.length;
      await scene.night.sleep(MINUTE);
      stop.abort();
      await scene.night.pass(run);
      return scene.service.polls.length - before;
    };

    expect(await polls(20)).toBeLessThan(1.3 * (await polls(10)));
  });

  it('because it refuses the key pauses the campaign at once', async () => {
    const scene = await aScene({
      leads: 30,
      dial: () => ({ answer: unknown() }),
      probe: () => ({ ok: false, keyRefused: true, why: 'HTTP 401' }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.probes).toHaveLength(1);
    expect((await scene.store.findCampaign('spring'))?.pauseReason).toBe('key');
  });

  it('is tried again in time though the wall clock is set back', async () => {
    let tries = 0;
    const scene = await aScene({
      leads: 8,
      dial: () => (++tries <= 1 ? { answer: neverSent() } : { talkMs: 10 }),
      probe: (n) => (n === 0 ? DOWN : { ok: true }),
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.probes.length === 1);
    scene.clock.setWall(scene.clock.now() - 60 * MINUTE);
    const before = scene.clock.monotonic();

    await scene.night.until(() => scene.service.probes.length === 2);

    expect(scene.clock.monotonic() - before).toBeLessThan(6_000);
    await scene.store.changeCampaign(
      scene.campaign.id,
      { state: 'cancelled' },
      { at: 0, who: 'operator', what: 'campaign.cancelled', detail: {} },
    );
    await scene.night.pass(run);
  });
});
