import { expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';

const PHONES = Array.from({ length: 30 }, (_, i) => `+121255501${String(i).padStart(2, '0')}`);
const CONCURRENCY = 4;
const OTHERS_CALLS_OPEN = /\nNobody waits to be called\. \d calls? (is|are) still open; .*\n$/;

it('two runners of one campaign share its concurrency, and nobody is called by both', async () => {
  const simulator = await simulatedService({ fixedCallMs: 150 });
  const at = desk({ VOICE_API_URL: simulator.url, VOICE_API_KEY: KEY });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const flags = ['--concurrency', String(CONCURRENCY), '--set', 'polling.floor=20ms'];
  // The service is proven first: until then one dial is in flight over all runners anyway.
  const first = await at.run(['run', 'leads.csv', '--agent', AGENT, ...flags, '--limit', '1']);
  expect(first.code).toBe(3);
  const runners = [at.begin(['run', 'leads']), at.begin(['run', 'leads'])];
  const ends = await Promise.all(runners.map(({ ended }) => ended));
  // Whoever ends first may leave calls of the other open, and says so; the last one finds every lead final.
  expect(ends.map(({ code }) => code)).toContain(0);
  for (const { code, err } of ends) {
    if (code !== 0) expect([code, err]).toEqual([3, expect.stringMatching(OTHERS_CALLS_OPEN)]);
  }

  expect(simulator.ledger()).toHaveLength(PHONES.length);
  expect(rangTwice(simulator.ledger())).toEqual([]);
  expect(simulator.peak()).toBeGreaterThan(1);
  expect(simulator.peak()).toBeLessThanOrEqual(CONCURRENCY);
  const rows = rowsOf(at.read('data/results/leads.csv'));
  expect(rows.map((row) => row['call_result'])).toEqual(PHONES.map(() => 'answered'));
});
