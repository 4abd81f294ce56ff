import { describe, expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { everybody } from '../../simulator/service.ts';

const PHONES = Array.from({ length: 12 }, (_, n) => aPhone(n));
const LIST = `phone\n${PHONES.join('\n')}\n`;
const TWICE = ['retry.attempts=2', 'retry.gap=1m', 'retry.perDay=2', 'polling.floor=100ms'];
const AFTER = ['busy', 'no_answer', 'voicemail'].map((result) => `retry.after.${result}=1m`);
const SETTINGS = [...TWICE, ...AFTER].flatMap((set) => ['--set', set]);
const RUN = ['run', 'leads.csv', '--yes', '--wait', '1h', ...SETTINGS, '-o', 'out.csv'];

describe('a rehearsal with the embedded service', () => {
  it('calls again whom it did not reach, with results that the service has named', async () => {
    const at = desk();
    at.write('leads.csv', LIST);

    const { code } = await at.run([...RUN, '--service', 'simulated'], { clock: hastyClock(60) });

    expect(code).toBe(0);
    const rows = rowsOf(at.read('out.csv'));
    const again = rows.filter((row) => row['call_attempts'] === '2');
    expect(again.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row['call_result_source']))).toEqual(new Set(['service']));
    const once = rows.filter((row) => row['call_attempts'] === '1');
    const results = once.map((row) => row['call_result'] ?? '');
    expect(results.filter((result) => /^(busy|no_answer|voicemail)$/.test(result))).toEqual([]);
  });

  it('rings everybody as often as the attempts say, and no oftener', async () => {
    const service = await simulatedService({ mix: everybody('busy'), unanswered: 'outcome' });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', LIST);

    const { code } = await at.run([...RUN, '--agent', AGENT], { clock: hastyClock(60) });

    expect(code).toBe(0);
    const rings = service.ledger().map((entry) => entry.rings.length);
    expect(rings).toEqual(PHONES.map(() => 2));
  });

  it('calls back who asked for it, and never again who wants no more calls', async () => {
    const clock = hastyClock(20);
    const shares = { optOuts: 0.4, callbacks: 1 };
    const mix = everybody('answered');
    const service = await simulatedService({ mix, unanswered: 'outcome', ...shares, clock });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', LIST);
    const waits = ['run', 'leads.csv', '--yes', '--agent', AGENT, '--wait', '1h', '-o', 'out.csv'];

    const { code } = await at.run([...waits, '--set', 'polling.floor=100ms'], { clock });

    expect(code).toBe(0);
    const rang = new Map(service.ledger().map((entry) => [entry.phone_number, entry.rings.length]));
    const firstCalls = rowsOf(at.read('out.csv')).map((row) => ({
      result: row['call_result'],
      attempts: row['call_attempts'],
      rings: String(rang.get(row['call_phone'] as never)),
    }));
    expect(firstCalls.every(({ attempts, rings }) => attempts === rings)).toBe(true);
    expect(firstCalls.filter(({ attempts }) => attempts === '2').length).toBeGreaterThan(0);
    const onceOnly = firstCalls.filter(({ attempts }) => attempts === '1');
    expect(onceOnly.length).toBeGreaterThan(0);
    expect(new Set(onceOnly.map(({ result }) => result))).toEqual(new Set(['opted_out']));
  });
});
