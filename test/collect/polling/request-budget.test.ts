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
    expect(gapOf(sent)).toBeGreaterThanOrEqual(2_000);
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

describe('a limit of dials a second', () => {
  it('spaces dials alone, and no dial waits in line until its permit has run out', async () => {
    const settings = { concurrency: 8, requests: 8, polling: QUICK };
    const scene = await aScene({ leads: 16, settings, dial: () => ({ talkMs: 3_000 }) });
    const { service, sent, dials } = limited(scene, Infinity, 0.5);

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    expect(scene.notices.filter(({ event }) => event === 'call.released')).toEqual([]);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
    expect(gapOf(dials)).toBeGreaterThanOrEqual(2_000);
    expect(gapOf(dials)).toBeLessThan(2_600);
    expect(gapOf(sent)).toBeLessThan(1_000);
  });
});

/** The shortest time between two of these. */
const gapOf = (times: readonly number[]) =>
  Math.min(...times.slice(1).map((at, n) => at - Number(times[n])));

/** The service of a scene, which is sent so many requests a second at most, and when each was sent. */
function limited(
  { service, clock }: Scene,
  perSecond: number,
  dialsPerSecond?: number,
): { service: VoiceService; sent: number[]; dials: number[] } {
  const { signal } = new AbortController();
  const turns = createRateLimiter(perSecond, clock, signal, dialsPerSecond);
  const sent: number[] = [];
  const dials: number[] = [];
  const inTurn = async <T>(what: 'read' | 'dial', request: () => Promise<T>): Promise<T> => {
    await turns.take(what);
    sent.push(clock.monotonic());
    if (what === 'dial') dials.push(clock.monotonic());
    return request();
  };
  const limits: Partial<VoiceService> = {
    roomWithin: turns.within,
    startCall: (dial, permit) => inTurn('dial', () => service.startCall(dial, permit)),
    readAnalytics: (callId) => inTurn('read', () => service.readAnalytics(callId)),
  };
  const withLimits = new Proxy<VoiceService>(service, {
    get: (target, name) => {
      if (name in limits) return Reflect.get(limits, name) as unknown;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { service: withLimits, sent, dials };
}
