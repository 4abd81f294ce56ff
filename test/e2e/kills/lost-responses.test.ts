import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/runtime/random.ts';
import { DIAL_FAULTS, drawFault } from '../../../src/simulator/wire/faults.ts';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aScene } from '../../helpers/campaign-run.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';
import { unknown } from '../../helpers/services/service-double.ts';

const LEADS = 400;
const CONCURRENCY = 20;
const LOST = 0.05;
/** longestCall and unknown.reconcileFor. */
const LIMIT_MS = 5_000;

describe('a service that loses one answer in twenty', () => {
  it('rings every phone once, exactly the calls whose answers were lost are unconfirmed, and no slot is used twice', async () => {
    const random = seededRandom('lost-responses');
    const lost = new Set<string>();
    const scene = await aScene({
      leads: LEADS,
      settings: {
        concurrency: CONCURRENCY,
        requests: CONCURRENCY,
        longestCallMs: LIMIT_MS,
        reconcileForMs: LIMIT_MS,
      },
      dial: ({ phone }) => {
        const isLost = random() < LOST;
        if (isLost) lost.add(phone);
        // A call whose answer was lost goes on nearly until its slot is free.
        return isLost ? { answer: unknown(), rings: true, talkMs: 4_900 } : { talkMs: 900 };
      },
    });

    await scene.run();
    await scene.night.sleep(LIMIT_MS + 1);
    const end = await scene.run();

    expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
    expect([...scene.service.rings().values()]).toEqual(Array(LEADS).fill(1));
    expect(scene.service.mostCalls).toBe(CONCURRENCY);
    expect(lost.size).toBeGreaterThan(12);
    const rows = await scene.rows();
    expect(phonesWith(rows, 'unconfirmed')).toEqual([...lost].toSorted());
    expect(phonesWith(rows, 'answered')).toHaveLength(LEADS - lost.size);
  });

  it('does the same over HTTP', async () => {
    const faults = { 'drop-response': LOST };
    const seed = 'lost-responses';
    const service = await simulatedService({ faults, seed, timeScale: 1, fixedCallMs: 20 });
    const clock = hastyClock(20);
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    const phones = Array.from({ length: 60 }, (_, n) => aPhone(n));
    const lost = phones.filter((phone) =>
      drawFault(DIAL_FAULTS, { faults, seed }, `dial/${phone}/1`),
    );
    at.write('leads.csv', `phone\n${phones.join('\n')}\n`);
    const argv = [
      ...['run', 'leads.csv', '--agent', AGENT, '-o', 'out.csv'],
      ...['--concurrency', String(CONCURRENCY), '--set', 'polling.floor=200ms'],
      ...['--set', 'longestCall=5s', '--set', 'unknown.reconcileFor=5s'],
    ];

    await at.run(argv, { clock });
    await clock.sleep(LIMIT_MS + 1);
    await at.run(argv, { clock });

    expect(lost.length).toBeGreaterThan(0);
    const ledger = service.ledger();
    expect(ledger.map((entry) => entry.phone_number).toSorted()).toEqual(phones);
    expect(rangTwice(ledger)).toEqual([]);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows).toHaveLength(phones.length);
    const doubtful = rows.filter((row) => row['call_result'] === 'unconfirmed');
    expect(doubtful.map((row) => row['call_phone'])).toEqual(lost);
  });
});

function phonesWith(rows: { phone: string; result: string | null }[], result: string): string[] {
  return rows
    .filter((row) => row.result === result)
    .map(({ phone }) => phone)
    .toSorted();
}
