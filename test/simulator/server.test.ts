import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UNANSWERED, type SimulatorOptions } from '../../src/simulator/options.ts';
import { Account } from '../../src/simulator/account.ts';
import type { CallRecord } from '../../src/simulator/calls/timeline.ts';
import { VirtualClock } from '../helpers/clock.ts';
import { aService, containing, phone } from './service.ts';

describe('the embedded service', () => {
  it('says which modes there are for unanswered calls', () => {
    expect(UNANSWERED).toEqual(['empty', 'status', 'outcome', 'never']);
  });

  it('names the port that it cannot listen on', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      taken.close();
    });
    const { port } = taken.address() as AddressInfo;
    await expect(aService({ port })).rejects.toMatchObject({
      code: 'SIMULATOR_PORT_UNAVAILABLE',
      message: containing(`127.0.0.1:${port}`),
      hint: containing('--port'),
    });
  });

  it.each<[string, Partial<Omit<SimulatorOptions, 'clock'>>]>([
    ['key', { keys: [] }],
    ['key', { keys: ['two words'] }],
    ['key', { keys: ['k'.repeat(257)] }],
    ['time-scale', { timeScale: 0 }],
    ['time-scale', { timeScale: Infinity }],
    ['capacity', { capacity: 0 }],
    ['capacity', { capacity: 1.5 }],
    ['rate', { rate: 0 }],
    ['rate', { rate: NaN }],
  ])('refuses an impossible %s: %j', async (name, options) => {
    await expect(aService(options)).rejects.toMatchObject({
      code: 'SIMULATOR_OPTION_INVALID',
      message: containing(`, ${name}: `),
      exitCode: 2,
    });
  });

  it('answers a defect of its own with 500 in the shape of every error', async () => {
    const clock = new VirtualClock();
    const service = await aService({ clock });
    clock.now = () => {
      throw new Error('no time');
    };
    const answer = await service.dial(phone(0));
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({ error: { code: 'internal', message: 'no time' } });
  });

  it('writes an IPv6 address as a URL does', async () => {
    const service = await aService({ host: '::1' });
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await service.get('/v1/agents')).status).toBe(200);
  });

  it('takes hundreds of simultaneous dials and reads, one ring each', async () => {
    const service = await aService({ fixedCallMs: 1_000 });
    const numbers = Array.from({ length: 500 }, (_, index) => phone(index));
    const placed = await Promise.all(numbers.map((number) => service.dial(number)));
    expect(placed.every(({ status }) => status === 201)).toBe(true);
    expect(service.peak()).toBe(500);
    await service.clock.advance(1_000);
    const read = await Promise.all(placed.map(({ json }) => service.analytics(json.call_id)));
    expect(read.map(({ json }) => json.phone_number)).toEqual(numbers);
    const { calls, numbers: rung } = (await service.get('/ledger')).json;
    expect(calls).toBe(500);
    expect(rung.every(({ rings }) => rings.length === 1)).toBe(true);
  });
});

describe('the ends of calls in progress', () => {
  it('come out in order, whatever the order they went in', () => {
    const account = new Account('acc_1', null, new VirtualClock());
    const times = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 499);
    for (const [index, endedAt] of times.entries()) {
      const call = { id: `call_${index}`, phone: phone(index), placedAt: -1, endedAt };
      account.addCall({ ...call, attemptKey: null } as CallRecord);
    }
    expect(account.peak).toBe(500);
    for (let time = 0; time < 499; time++) {
      const later = times.filter((other) => other > time);
      const nextEndAt = later.length === 0 ? undefined : Math.min(...later);
      expect(account.inProgressAt(time)).toEqual({ count: later.length, nextEndAt });
    }
  });
});
