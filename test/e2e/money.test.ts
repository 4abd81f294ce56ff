import { describe, expect, it } from 'vitest';
import { perBegunMinute, USUAL_PER_MINUTE } from '../../src/domain/nights/budget.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { VirtualClock } from '../helpers/clock.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';

interface Rehearsed {
  pricedBy: string | null;
  nights: { calls: number }[];
}
interface Checked {
  forecast: {
    seen: { pricedBy: string | null };
    calls: { middle: number };
    nights: { middle: number };
  };
}

/** Monday 2026-01-05 10:00 in New York. */
const clock = () => new VirtualClock();
const SIMULATED = ['leads.csv', '--service', 'simulated', '--timezone', 'America/New_York'];

function aDesk(people: number, env: Record<string, string> = {}): Desk {
  const at = desk(env);
  const phones = Array.from({ length: people }, (_, n) => `+1212555${String(100 + n).padStart(4, '0')}`); // prettier-ignore
  at.write('leads.csv', `phone\n${phones.join('\n')}\n`);
  return at;
}

async function json<T>(at: Desk, argv: readonly string[]): Promise<T> {
  const { out } = await at.run([...argv, '--json'], { clock: clock() });
  return JSON.parse(out) as T;
}

describe('a budget of money', () => {
  it('is rehearsed and foretold at the price of the embedded service, with many calls a night', async () => {
    const at = aDesk(40);
    // With as many calls at once as people no other concurrency is tried.
    const argv = [...SIMULATED, '--concurrency', '40', '--set', 'stop.cost=4 EUR'];
    const { nights, pricedBy } = await json<Rehearsed>(at, ['check', '--rehearse', ...argv]);
    expect(pricedBy).toBe('usual');
    expect(nights.length).toBeGreaterThan(1);
    // A night ends with less left than a call of 15 minutes may cost, and a call costs 0.12 on average.
    for (const { calls } of nights.slice(0, -1)) expect(calls).toBeGreaterThan(10);
    expect(nights.reduce((sum, { calls }) => sum + calls, 0)).toBe(40);

    const { forecast } = await json<Checked>(at, ['check', ...argv]);
    expect(forecast.seen.pricedBy).toBe('usual');
    expect(forecast.calls.middle).toBe(40);
    expect(Math.abs(forecast.nights.middle - nights.length)).toBeLessThanOrEqual(2);
  });

  it('is kept at that price, with less left than one more call may cost', async () => {
    const price = perBegunMinute(USUAL_PER_MINUTE);
    const service = await simulatedService({ price });
    const at = aDesk(60, { VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    const argv = ['leads.csv', '--agent', AGENT, '--rules', 'always', '--yes', '--new-db'];
    const sets = ['--set', 'polling.floor=20ms', '--set', 'stop.total.cost=4 EUR'];
    const ended = await at.run(['run', ...argv, ...sets], { clock: hastyClock(10) });
    expect(ended.code).toBe(5);
    const all = service.ledger().flatMap(({ rings }) => rings);
    const used = all.reduce((sum, { duration }) => sum + price((duration ?? 0) * 1_000), 0);
    expect(all.length).toBeGreaterThan(10);
    expect(used).toBeLessThanOrEqual(4.000001);
    expect(used).toBeGreaterThan(4 - 1.1 * price(15 * 60_000));
    const { out } = await at.run(['export', 'leads', '-o', '-', '--format', 'jsonl']);
    expect(out).toContain('"call_cost":0.12');
    expect(out).not.toContain('"call_cost_currency":"');
  });

  it('is rehearsed and foretold as the calls of the campaign have cost', async () => {
    const price = (talkMs: number) => 0.9 * Math.ceil(talkMs / 60_000);
    const service = await simulatedService({ price, mix: 'reminder' });
    const at = aDesk(40, { VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    const argv = ['leads.csv', '--agent', AGENT, '--rules', 'always'];
    const limit = ['--limit', '12', '--set', 'polling.floor=20ms'];
    expect((await at.run(['run', ...argv, ...limit, '--yes', '--new-db'])).code).toBe(3);

    const budget = ['--concurrency', '40', '--set', 'stop.cost=25 EUR'];
    const { forecast } = await json<Checked>(at, ['check', 'leads', ...budget]);
    expect(forecast.seen.pricedBy).toBe('campaign');
    expect(forecast.nights.middle).toBeGreaterThan(1);
    const { out, err } = await at.run(['check', '--rehearse', 'leads', ...budget], {
      clock: clock(),
    });
    // The same people at the price of the embedded service take one night.
    expect(out).toContain('2026-01-06');
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'Costs are counted as the calls of this campaign have cost so far.',
    );
  });
});
