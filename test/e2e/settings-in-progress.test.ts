import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../src/simulator/server.ts';
import { desk } from '../helpers/callsheet.ts';
import { aPhone } from '../helpers/factory.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { AGENT, KEY, rangTwice, simulatedService } from '../helpers/services/simulated-service.ts';
import { until } from '../helpers/until.ts';

const PHONES = Array.from({ length: 28 }, (_, n) => aPhone(n));
/** So long that a slow machine, too, begins the sixth call before the first has ended. */
const CALL_MS = 1_500;

describe('set, in a second terminal, during a run', () => {
  it('raises and lowers the number of calls at once; nobody is called twice', async () => {
    const clock = hastyClock(3);
    const service = await simulatedService({ fixedCallMs: CALL_MS, timeScale: 1, clock });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
    const argv = ['run', 'leads.csv', '--agent', AGENT, '-o', 'out.csv', '--concurrency', '2'];
    const { ended } = at.begin([...argv, '--set', 'polling.floor=100ms'], { clock });
    await until(() => service.ledger().length >= 4);
    expect(service.peak()).toBe(2);

    const raised = await at.run(['set', 'leads', 'concurrency=6']);
    expect(raised.err).toContain('concurrency 2 -> 6');
    expect(raised.err).toContain('requests 2 -> 6');
    expect(raised.err).toMatch(/The run in progress \(pid \d+\) follows within a second\./);
    await until(() => service.peak() === 6);

    const lowered = await at.run(['set', 'leads', 'concurrency=3']);
    expect(lowered.err).toMatch(/\(pid \d+\) follows within a second\./);
    const before = idsOf(service.ledger());
    expect((await ended).code).toBe(0);

    const ledger = service.ledger();
    expect(ledger).toHaveLength(PHONES.length);
    expect(rangTwice(ledger)).toEqual([]);
    expect(service.peak()).toBe(6);
    expect(Math.max(...inProgressAtStarts(ledger, before))).toBe(3);
  });

  it('says which settings the run keeps as it began', async () => {
    const clock = hastyClock(3);
    const service = await simulatedService({ fixedCallMs: CALL_MS, timeScale: 1, clock });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', `phone\n${PHONES.slice(0, 4).join('\n')}\n`);
    const argv = ['run', 'leads.csv', '--agent', AGENT, '-o', 'out.csv', '--concurrency', '1'];
    const { io, ended } = at.begin([...argv, '--set', 'polling.floor=100ms'], { clock });
    await until(() => service.ledger().length >= 1);

    const mixed = await at.run(['set', 'leads', 'pace=10/s', 'polling.ceiling=30s']);

    expect(mixed.err).toMatch(
      /The run in progress \(pid \d+\) keeps polling\.ceiling as it began;/,
    );
    // Outside these hours it calls nobody else; more hours come too late for it.
    await at.run(['set', 'leads', 'hours.from=03:00', 'hours.to=03:05', 'hours.days=sun']);
    await until(async () => (await at.run(['status'])).err.includes('collects and calls nobody'));
    const late = await at.run(['set', 'leads', 'hours=none'], { columns: 400 });
    expect(late.err).toMatch(
      /\(pid \d+\) starts no more calls; what calls next, such as `npx callsheet run leads`, follows/,
    );
    // What is left of it shows nothing more.
    io.signal();
    io.signal();
    await ended;
  });
});

function idsOf(ledger: readonly LedgerEntry[]): Set<string> {
  return new Set(ledger.flatMap(({ rings }) => rings.map((ring) => ring.call_id)));
}

/** Calls in progress at the start of each call that is not among `before`. */
function inProgressAtStarts(ledger: readonly LedgerEntry[], before: ReadonlySet<string>): number[] {
  const calls = ledger.flatMap(({ rings }) =>
    rings.map(({ call_id, rang_at, ended_at }) => ({
      id: call_id,
      from: Date.parse(rang_at),
      to: Date.parse(ended_at ?? ''),
    })),
  );
  return calls
    .filter(({ id }) => !before.has(id))
    .map(({ from }) => calls.filter((call) => call.from <= from && from < call.to).length);
}
