import { describe, expect, it } from 'vitest';
import type { VoiceService } from '../../../src/service/port.ts';
import { createRateLimiter } from '../../../src/service/http/send-permit.ts';
import { aScene, type Scene } from '../../helpers/campaign-run.ts';

const HOUR = 3_600_000;
const QUICK = { floorMs: 100, ceilingMs: 5_000, deadlineMs: HOUR };

describe('a limit of requests a second', () => {
  it('is shared by dials and polls, and no dial waits in line until its permit has run out', async () => {
    const settings = { concurrency: 8, requests: 8, polling: QUICK };
    const scene = await aScene({ leads: 16, settings, dial: () => ({ talkMs: 30_000 }) });
    const { service, sent } = limited(scene, 0.5);

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    expect(scene.notices.filter(({ event }) => event === 'call.released')).toEqual([]);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
    const gaps = sent.slice(1).map((at, n) => at - Number(sent[n]));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
  });

  it('goes to dials first: polls that are always due do not keep people from being called', async () => {
    const settings = { concurrency: 100, requests: 8, polling: { ...QUICK, ceilingMs: 200 } };
    const scene = await aScene({ leads: 20, settings, dial: () => ({ talkMs: 120_000 }) });
    const { service } = limited(scene, 1);
    const run = scene.start({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    await scene.night.sleep(60_000);

    expect(scene.service.dials.length).toBeGreaterThanOrEqual(18);
    await scene.night.pass(run);
  });
});

/** The service of a scene, which is sent so many requests a second at most, and when each was sent. */
function limited(
  { service, clock }: Scene,
  perSecond: number,
): { service: VoiceService; sent: number[] } {
  const turns = createRateLimiter(perSecond, clock, new AbortController().signal);
  const sent: number[] = [];
  const inTurn = async <T>(request: () => Promise<T>): Promise<T> => {
    await turns.take();
    sent.push(clock.monotonic());
    return request();
  };
  const limits: Partial<VoiceService> = {
    roomWithin: (ms) => turns.within(ms),
    startCall: (dial, permit) => inTurn(() => service.startCall(dial, permit)),
    readAnalytics: (callId) => inTurn(() => service.readAnalytics(callId)),
  };
  const withLimits = new Proxy<VoiceService>(service, {
    get: (target, name) => {
      if (name in limits) return Reflect.get(limits, name) as unknown;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { service: withLimits, sent };
}
