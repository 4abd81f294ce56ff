import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';

const PHONES = Array.from({ length: 60 }, (_, n) => aPhone(n));
/** Lost on the way there, on the way back, and answered in ways that say nothing. */
const FAULTS = {
  'drop-response': 0.1,
  'drop-request': 0.04,
  '500-after': 0.03,
  'cut-body': 0.02,
  'no-id': 0.02,
};
/** With this one fourteen first answers are lost, and of no number more than two in a row. */
const SEED = 'repeats-1';

/** A list, and the default profile with `line` added to its section `dial`. */
function aDesk(url: string, line: string): Desk {
  const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: KEY });
  const profile = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');
  at.write('mine.yaml', profile.replace('\n  idempotencyKey:', `\n  ${line}\n  idempotencyKey:`));
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  return at;
}

const argvFor = (at: Desk, url: string) => [
  ...['run', 'leads.csv', '--agent', AGENT, '-o', 'out.csv', '--service-url', url],
  ...[
    '--profile',
    at.path('mine.yaml'),
    '--concurrency',
    '30',
    '--set',
    'requests=1',
    '--set',
    'polling.floor=200ms',
  ],
];

describe('against a service that loses a fifth of its answers', () => {
  it('and answers one key with one call, everybody rings once and has a result', async () => {
    const service = await simulatedService({
      faults: FAULTS,
      seed: SEED,
      idempotency: true,
      timeScale: 1,
      fixedCallMs: 20,
    });
    const at = aDesk(service.url, 'idempotentFor: 24h');
    const argv = argvFor(at, service.url);

    const ended = await at.run(argv, { clock: hastyClock(200) });

    expect(ended).toMatchObject({
      code: 0,
      err: expect.stringContaining('Every lead is final.') as string,
    });
    const ledger = service.ledger();
    expect(ledger.map((entry) => entry.phone_number).toSorted()).toEqual(PHONES);
    expect(rangTwice(ledger)).toEqual([]);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(PHONES.map(() => 'answered'));
    const ids = new Map(ledger.map(({ phone_number, rings }) => [phone_number, rings[0]?.call_id]));
    for (const row of rows) expect(row['call_id']).toBe(ids.get(row['call_phone'] ?? ''));
  });

  it('and promises nothing, nobody rings again: the service would have called them twice', async () => {
    const service = await simulatedService({
      faults: FAULTS,
      seed: SEED,
      timeScale: 1,
      fixedCallMs: 20,
    });
    const at = aDesk(service.url, '# no promise');
    const argv = argvFor(at, service.url);
    const ended = await at.run(argv, { clock: hastyClock(200) });

    expect(ended.code).toBe(5);
    expect(rangTwice(service.ledger())).toEqual([]);
    // On a slow machine the clock is ahead of the calls, and the first doubts are given up before the last call.
    const rows = rowsOf((await at.run(['export', 'leads', '-o', '-'])).out);
    expect(rows.filter((row) => row['call_result'] !== 'answered')).toHaveLength(14);
  });
});

describe('a profile with that promise', () => {
  it('is refused where it sends no key: a repeated dial would be a second call', async () => {
    const at = aDesk('http://127.0.0.1:9', 'idempotentFor: 24h');
    at.write('mine.yaml', at.read('mine.yaml').replace(/\n {2}idempotencyKey:.*/, ''));

    const refused = await at.run(argvFor(at, 'http://127.0.0.1:9'));

    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/mine\.yaml:\d+:\d+.*idempotentFor.*it needs the key to be sent/s);
  });
});
