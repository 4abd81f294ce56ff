import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { VirtualClock } from '../../../helpers/clock.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { until } from '../../../helpers/until.ts';
import { AGENT, KEY, simulatedService } from '../../../helpers/services/simulated-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

interface Night {
  night: string;
  calls: number;
  reached: number;
  results: Record<string, number>;
  firstCallAt: string;
  lastCallAt: string;
}
interface Trial {
  concurrency: number;
  nights: number;
}
interface Printed {
  people: number;
  end: string;
  startedAt: string;
  finishedAt: string | null;
  nights: Night[];
  neverCalled: { result: string | null; why: string | null; people: number }[];
  shut: { by: string; people: number }[];
  holds: { by: string; people: number }[];
  trials: Trial[];
  better: Trial | null;
  advice: string[];
}

/** So many people of area codes from New York to Honolulu. */
function aList(people: number): string {
  const codes = [212, 312, 303, 213, 808];
  const phones = Array.from({ length: people }, (_, n) => {
    const line = String(100 + Math.floor(n / codes.length)).padStart(4, '0');
    return `+1${codes[n % codes.length] ?? 212}555${line}`;
  });
  return `phone\n${phones.join('\n')}\n`;
}

/** Monday 2026-01-05 10:00 in New York. */
const clock = () => new VirtualClock();
const SIMULATED = ['--service', 'simulated'];
const RETRIED = ['--set', 'retry.attempts=3', '--set', 'retry.gap=1h'];

async function rehearsed(at: Desk, argv: readonly string[]): Promise<Printed> {
  const { code, out, err } = await at.run(['check', '--rehearse', ...argv, '--json'], {
    clock: clock(),
  });
  expect([code, err]).toEqual([0, expect.any(String)]);
  return JSON.parse(out) as Printed;
}

describe('rehearse', () => {
  it('says night by night what would happen, in the hours of each person', async () => {
    const at = desk();
    at.write('leads.csv', aList(15));
    const argv = ['leads.csv', ...SIMULATED, ...RETRIED, '--rules', 'us-federal'];
    const { people, end, nights, trials } = await rehearsed(at, [...argv, '--concurrency', '1']);

    expect([people, end]).toEqual([15, 'done']);
    expect(nights.map(({ night }) => night)).toContain('2026-01-05');
    expect(nights[0]?.firstCallAt).toBe('2026-01-05T10:00:00-05:00');
    for (const { calls, reached, results, firstCallAt, lastCallAt } of nights) {
      const sum = Object.values(results).reduce((a, b) => a + b, 0);
      expect(sum).toBe(calls);
      expect(reached).toBe((results['answered'] ?? 0) + (results['opted_out'] ?? 0));
      expect(Date.parse(lastCallAt)).toBeGreaterThanOrEqual(Date.parse(firstCallAt));
      // 08:00 in New York to 21:00 in Honolulu.
      expect(Date.parse(lastCallAt) - Date.parse(firstCallAt)).toBeLessThan(18 * 3_600_000);
    }
    expect(trials[0]).toMatchObject({ concurrency: 1, nights: nights.length });
  });

  it('comes to the counts of a real run of the same seed', async () => {
    const simulator = await simulatedService({ seed: 'autumn', unanswered: 'outcome' });
    const at = desk({ VOICE_API_URL: simulator.url, VOICE_API_KEY: KEY });
    at.write('leads.csv', aList(20));
    const argv = ['leads.csv', '--agent', AGENT, '--concurrency', '30'];
    const retried = ['no_answer', 'busy', 'voicemail', 'declined', 'failed'];
    const gaps = ['gap', ...retried.map((result) => `after.${result}`)].map((gap) => `${gap}=1s`);
    const retry = ['attempts=2', ...gaps].flatMap((one) => ['--set', `retry.${one}`]);
    const { nights } = await rehearsed(at, [...argv, ...retry, '--seed', 'autumn']);
    expect(simulator.ledger()).toEqual([]);

    const fast = ['--yes', '--wait', '1m', '--set', 'polling.floor=20ms'];
    const run = await at.run(['run', ...argv, ...retry, ...fast]);
    expect(run.code).toBe(0);
    const rang: Record<string, number> = {};
    for (const { outcome } of simulator.ledger().flatMap(({ rings }) => rings)) {
      rang[String(outcome)] = (rang[String(outcome)] ?? 0) + 1;
    }
    const [{ results } = { results: {} as Record<string, number> }] = nights;
    // Who asked for no more calls had answered.
    const { opted_out: optedOut = 0, answered = 0, ...others } = results;
    expect(nights.length).toBe(1);
    expect({ ...others, answered: answered + optedOut }).toEqual(rang);
  });

  it('calls nobody, asks the service nothing, and leaves database and folder as they were', async () => {
    const service = await voiceServer();
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key-1' });
    at.write('leads.csv', `${aList(20)}n/a\n`);
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    const requests = service.asked.length;
    const before = filesOf(at);
    const temporary = ownTemporary();

    const report = await rehearsed(at, ['spring', ...RETRIED]);
    expect(report).toMatchObject({ people: 20, end: 'done' });
    expect(service.asked.length).toBe(requests);
    expect(filesOf(at)).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('ends at Ctrl-C, says that nothing was changed, and leaves nothing behind', async () => {
    const at = desk();
    at.write('leads.csv', aList(200));
    const before = filesOf(at);
    const temporary = ownTemporary();
    const { io, ended } = at.begin(['check', '--rehearse', 'leads.csv', ...SIMULATED], {
      clock: clock(),
    });
    await until(() => readdirSync(temporary).length > 0);
    io.signal();
    const { code, out, err } = await ended;
    expect([code, out]).toEqual([130, '']);
    expect(err).toContain('Interrupted: nothing was changed, nobody was called.');
    expect(filesOf(at)).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('says who is never called and why, with the next step', async () => {
    const at = desk();
    at.write('leads.csv', `${aList(3)}+88213555010\n`);
    await at.run(['suppress', 'add', '+12125550100', '--db', 'data/simulated.db']);
    const argv = ['check', '--rehearse', 'leads.csv', ...SIMULATED, '--rules', 'us-federal'];
    const { out, err } = await at.run([...argv, '--db', 'data/simulated.db'], { clock: clock() });
    expect(out).toContain('2026-01-05');
    expect(err).toContain('1 person is never called: suppressed');
  });

  it('names the smallest concurrency with which it takes fewer nights', async () => {
    const at = desk();
    at.write('leads.csv', aList(90));
    // Open for a quarter of an hour a day: about 15 calls a night with one call at a time.
    const hours = ['--set', 'hours.from=10:00', '--set', 'hours.to=10:15'];
    const slow = ['leads.csv', ...SIMULATED, ...hours, '--rules', 'us-federal'];
    const found = await rehearsed(at, [...slow, '--concurrency', '2']);
    const { better, trials, nights, advice } = found;
    expect(better?.nights).toBeLessThan(nights.length);
    expect(trials.length).toBeGreaterThan(2);
    expect(advice[0]).toContain(
      `At concurrency 2 this list takes ${nights.length} nights; at ${better?.concurrency ?? 0}`,
    );
  });

  it('begins when --at says, and with another seed other people answer', async () => {
    const at = desk();
    at.write('leads.csv', aList(20));
    const argv = ['leads.csv', ...SIMULATED];
    const now = await rehearsed(at, argv);
    const later = await rehearsed(at, [...argv, '--at', '2026-01-06 09:30', '--seed', 'other']);
    expect(later.startedAt).toBe('2026-01-06T09:30:00-05:00');
    expect(later.nights[0]?.night).toBe('2026-01-06');
    expect(later.nights[0]?.results).not.toEqual(now.nights[0]?.results);
    expect(await rehearsed(at, argv)).toEqual(now);
  });
});

/** Every file below the folder, with its bytes. */
function filesOf(at: Desk): Record<string, string> {
  const all = readdirSync(at.cwd, { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`);
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'base64')]));
}

/** The folder in which this process makes temporary files from now on. */
function ownTemporary(): string {
  const folder = tempFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return folder;
}
