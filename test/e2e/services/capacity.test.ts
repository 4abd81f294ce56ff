import { describe, expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aScene, type Scene } from '../../helpers/campaign-run.ts';
import { aPhone } from '../../helpers/factory.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';

const LEADS = 200;
const CALL_MS = 400;
const TAKES = 5;
const CONCURRENCY = 10;
const IDEAL_MS = (LEADS * CALL_MS) / TAKES;

const SETTINGS = {
  concurrency: CONCURRENCY,
  requests: CONCURRENCY,
  polling: { floorMs: 20, ceilingMs: 60_000, deadlineMs: 7_200_000 },
};

describe('a service that takes five calls at once, and a concurrency of ten', () => {
  it('calls everybody, spends no attempt on a 429, takes a fifth longer at most, and says once that it is slower', async () => {
    const scene = await aSmallService();
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(scene.clock.now() - startedAt).toBeLessThanOrEqual(1.2 * IDEAL_MS);
    expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
    const rows = await scene.rows();
    expect(rows).toHaveLength(LEADS);
    for (const row of rows) expect(row).toMatchObject({ result: 'answered', attempts: 1 });
    expect([...scene.service.rings().values()]).toEqual(Array(LEADS).fill(1));
    expect(scene.service.mostCalls).toBe(TAKES);
    const told = scene.notices.flatMap((n) => (n.event === 'slots.shrunk' ? [n.limit] : []));
    expect(told.length).toBeLessThan(scene.service.refusals.length);
    expect(told).toEqual([...new Set(told)].toSorted((a, b) => b - a));
  });

  it('is at full speed within a minute after the last Retry-After, once the service takes all', async () => {
    const scene = await aSmallService({ leads: 1_000 });
    const run = scene.start();
    await scene.night.until(() => scene.service.calls.length === 60);
    scene.service.capacity = Infinity;
    const refusedAt = scene.service.refusals.at(-1) ?? 0;

    await scene.night.until(() => scene.service.inProgress === CONCURRENCY);

    expect(scene.service.refusals.at(-1)).toBe(refusedAt);
    expect(scene.clock.now() - (refusedAt + 1_000)).toBeLessThanOrEqual(60_000);
    await scene.night.pass(run);
    expect(scene.service.rings().size).toBe(1_000);
  });

  it('does the same over HTTP', async () => {
    // Calls so long that a slow machine, too, begins a sixth before the first has ended.
    const service = await simulatedService({ capacity: TAKES, fixedCallMs: 250, timeScale: 1 });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    const phones = Array.from({ length: 20 }, (_, n) => aPhone(n));
    at.write('leads.csv', `phone\n${phones.join('\n')}\n`);

    const { code, err } = await at.run([
      ...['run', 'leads.csv', '--agent', AGENT, '-o', 'out.csv'],
      ...['--concurrency', String(CONCURRENCY), '--set', 'polling.floor=20ms'],
    ]);

    expect(err).toContain('The service did not take a call for now');
    expect(code).toBe(0);
    const ledger = service.ledger();
    expect(ledger).toHaveLength(phones.length);
    expect(rangTwice(ledger)).toEqual([]);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows.map((row) => row['call_attempts'])).toEqual(phones.map(() => '1'));
  });
});

async function aSmallService({ leads = LEADS } = {}): Promise<Scene> {
  const dial = () => ({ talkMs: CALL_MS });
  return aScene({ leads, settings: SETTINGS, capacity: TAKES, dial, readMs: 2 });
}
