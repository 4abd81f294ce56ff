import { describe, expect, it, onTestFinished } from 'vitest';
import { createRateLimiter } from '../../../src/service/http/send-permit.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hostileService } from '../../helpers/services/hostile-service.ts';
import { connect } from '../helpers.ts';

const closing = new AbortController().signal;

describe('turns of requests', () => {
  it('come evenly spaced, in the order in which they were asked for', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(4, clock, closing);
    const sent: [string, number][] = [];
    for (const name of ['first', 'second', 'third']) {
      void turns.take().then(() => sent.push([name, clock.monotonic()]));
    }

    await clock.advance(0);
    await clock.advance(1_000);

    expect(sent).toEqual([
      ['first', 0],
      ['second', 250],
      ['third', 500],
    ]);
  });

  it('tell how many requests would be sent within a time', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(2, clock, closing);
    expect(turns.within(0)).toBe(1);
    expect(turns.within(1_000)).toBe(3);
    for (let i = 0; i < 5; i++) void turns.take();
    expect(turns.within(2_000)).toBe(0);
    expect(turns.within(2_500)).toBe(1);
    await clock.advance(5_000);
    expect(turns.within(0)).toBe(1);
  });

  it('are not waited for without a limit', async () => {
    const turns = createRateLimiter(undefined, new VirtualClock(), closing);
    expect([turns.within(0), turns.rate()]).toEqual([Infinity, Infinity]);
    await turns.take();
  });
});

/** Asks as fast as the limiter lets it, of a service that answers so many requests in any second. */
function asked(bears: () => number, most?: number) {
  const clock = new VirtualClock();
  const turns = createRateLimiter(most, clock, closing);
  const counts = { answered: 0, refused: 0 };
  let answered: number[] = [];
  const ask = async () => {
    await turns.take();
    const now = clock.monotonic();
    answered = answered.filter((at) => at > now - 1_000);
    if (answered.length < bears()) {
      answered.push(now);
      counts.answered += 1;
      return;
    }
    counts.refused += 1;
    turns.refused('read');
    await clock.sleep(1_000);
  };
  /** @returns what became of the requests of so many minutes */
  const during = async (minutes: number) => {
    const before = { ...counts };
    const end = clock.monotonic() + minutes * 60_000;
    const asking = async () => {
      while (clock.monotonic() < end) await Promise.all([ask(), ask(), ask(), clock.sleep(20)]);
    };
    const passing = async () => {
      while (clock.monotonic() < end + 5_000) await clock.advance(20);
    };
    await Promise.all([asking(), passing()]);
    const perSecond = (counts.answered - before.answered) / (minutes * 60);
    return { perSecond, refused: counts.refused - before.refused };
  };
  return { clock, turns, during };
}

describe('a limit that refusals show', () => {
  it.each([1, 3, 10, 40])('is found, at %i requests a second', async (limit) => {
    const { during } = asked(() => limit);
    await during(3);
    const { perSecond, refused } = await during(5);
    expect(perSecond).toBeGreaterThan(limit * 0.9);
    expect(refused).toBeLessThan(20);
  });

  it('is left when the service bears more', async () => {
    let limit = 2;
    const { during, turns } = asked(() => limit);
    await during(2);
    expect(turns.rate()).toBeLessThan(2.5);
    limit = 1_000;
    await during(7);
    expect(turns.rate()).toBeGreaterThan(8);
  });

  it('is one request in two seconds at least, whatever is refused', async () => {
    let limit = 5;
    const { during, turns } = asked(() => limit);
    await during(1);
    limit = 0;
    await during(10);
    expect(turns.rate()).toBeGreaterThanOrEqual(0.5);
    limit = 5;
    await during(8);
    expect((await during(2)).perSecond).toBeGreaterThan(4);
  });

  it('is found at once again, also when it was not met for hours', async () => {
    let limit = 5;
    const { during, clock } = asked(() => limit);
    await during(2);
    limit = 1_000;
    clock.moveTo(clock.monotonic() + 6 * 3_600_000);
    limit = 5;
    await during(1);
    expect((await during(2)).perSecond).toBeGreaterThan(4);
  });

  it('is never above that of the profile', async () => {
    const { during, turns } = asked(() => 3, 2);
    expect(await during(10)).toMatchObject({ refused: 0 });
    expect(turns.rate()).toBe(2);
  });

  it('is not shown by a dial that is refused, as all slots may be taken', () => {
    const turns = createRateLimiter(undefined, new VirtualClock(), closing);
    turns.refused('dial');
    expect(turns.rate()).toBe(Infinity);
  });

  it('that has grown is not looked for again while it is borne', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(undefined, clock, closing);
    for (let n = 0; n < 40; n++) void turns.take();
    await clock.advance(1);
    turns.refused('read');
    clock.moveTo(clock.monotonic() + 360_000);
    const grown = turns.rate();
    for (let n = 0; n < 600; n++) void turns.take();
    await clock.advance(8_000);
    expect(turns.rate()).toBeGreaterThanOrEqual(grown);
    // Nor does one dial that is refused, while few are sent, say anything of it.
    clock.moveTo(clock.monotonic() + 60_000);
    void turns.take();
    turns.refused('dial');
    expect(turns.isTooFast()).toBe(false);
  });

  it('counts as borne only once requests went out at it', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(8, clock, closing);
    for (let n = 0; n < 20; n++) void turns.take();
    await clock.advance(3_000);
    turns.refused('read');
    const rate = turns.rate();
    for (let n = 0; n < 20; n++) {
      void turns.take();
      await clock.advance(1_000);
    }
    expect(turns.rate()).toBe(rate);
    // So a dial that is refused says nothing of the rate: it is the slots.
    turns.refused('dial');
    expect([turns.rate(), turns.isTooFast()]).toEqual([rate, false]);
    for (let n = 0; n < 40; n++) void turns.take();
    await clock.advance(8_000);
    expect(turns.rate()).toBeGreaterThan(rate);
  });

  it('is found below one request a second, and left again', async () => {
    let answers = 0.7;
    const clock = new VirtualClock();
    const turns = createRateLimiter(undefined, clock, closing);
    let [answeredAt, refused] = [-Infinity, 0];
    const during = async (minutes: number) => {
      refused = 0;
      const end = clock.monotonic() + minutes * 60_000;
      const asking = async () => {
        while (clock.monotonic() < end) {
          await turns.take();
          await clock.sleep(20);
          if (clock.monotonic() - answeredAt >= 1_000 / answers) {
            answeredAt = clock.monotonic();
            continue;
          }
          refused += 1;
          turns.refused('read');
        }
      };
      const passing = async () => {
        while (clock.monotonic() < end + 30_000) await clock.advance(100);
      };
      await Promise.all([asking(), passing()]);
    };
    await during(10);
    expect(turns.rate()).toBeLessThan(0.75);
    await during(10);
    expect(refused).toBeLessThan(20);
    answers = 1_000;
    await during(12);
    expect(turns.rate()).toBeGreaterThan(2);
  });

  it('is not shown by a refusal of one that was asked seldom', () => {
    const turns = createRateLimiter(undefined, new VirtualClock(), closing);
    void turns.take();
    turns.refused('read');
    expect(turns.rate()).toBe(Infinity);
  });

  it('counts refusals of requests that went out together once', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(8, clock, closing);
    for (let n = 0; n < 20; n++) void turns.take();
    await clock.advance(3_000);
    for (let n = 0; n < 5; n++) turns.refused('read');
    expect(turns.rate()).toBeCloseTo(4, 0);
    await clock.advance(2_000);
    turns.refused('read');
    expect(turns.rate()).toBeCloseTo(2, 0);
  });
});

it('a service is asked more slowly when it has refused a read, not when it has refused a dial', async () => {
  const service = await hostileService(({ operation }) => ({
    status: operation === 'agents' ? 200 : 429,
    body: { error: 'too many' },
  }));
  const client = connect(service.url);
  onTestFinished(() => client.close());
  const dial = { attemptKey: 'key', phone: aPhone(1), agent: 'ag_1' };
  expect(await client.startCall(dial, () => true)).toMatchObject({ kind: 'refused' });
  expect(client.requestRate?.()).toBe(Infinity);
  const polls = ['call_1', 'call_2', 'call_3'].map((callId) => client.readAnalytics(callId));
  for (const polled of await Promise.all(polls)) expect(polled).toMatchObject({ kind: 'failed' });
  expect(client.requestRate?.()).toBeLessThan(5);
});
