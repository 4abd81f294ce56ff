import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { lintMetrics } from '../../helpers/metrics-lint.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { until } from '../../helpers/until.ts';

const PEOPLE = 12;
const LIST = `phone\n${Array.from({ length: PEOPLE }, (_, i) => aPhone(i)).join('\n')}\n`;
const DB = ['--db', 'data/callsheet.db'];

/** `serve` with metrics, and ways to ask it. */
async function served() {
  const service = await simulatedService({ timeScale: 600 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  at.write('leads.csv', LIST);
  const argv = ['serve', '--port', '0', '--metrics', '0', '--service-url', service.url, ...DB];
  const { io, ended } = at.begin(argv, { clock: hastyClock(20) });
  await io.written('Webhooks of');
  const webhooks = /go to (\S+) \(/.exec(io.err())?.[1] ?? '';
  const metrics = /Metrics are at (\S+)\./.exec(io.err())?.[1] ?? '';
  const ask = async (url: string) => {
    const answer = await request(url);
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  const scrape = async () => {
    const { text } = await ask(metrics);
    const { problems, samples } = lintMetrics(text);
    expect(problems.filter((problem) => !problem.startsWith('nodejs_'))).toEqual([]);
    const sum = (name: string, labels: Record<string, string> = {}) =>
      samples
        .filter((each) => each.name === name)
        .filter((each) =>
          Object.entries(labels).every(([key, value]) => each.labels[key] === value),
        )
        .reduce((all, { value }) => all + value, 0);
    return { text, sum };
  };
  return { at, io, ended, service, ask, scrape, metrics, receiver: new URL(webhooks).origin };
}

describe('callsheet serve, as monitors see it', () => {
  it('tells numbers that agree with what the service and the results say', async () => {
    const { at, io, ended, service, scrape } = await served();
    expect((await scrape()).sum('callsheet_calls_started_total')).toBe(0);
    const campaign = ['import', 'spring', 'leads.csv', '--agent', AGENT, '--concurrency', '12'];
    campaign.push('--set', 'polling.floor=50ms');
    expect((await at.run(campaign)).code).toBe(0);
    expect((await at.run(['resume', 'spring'])).code).toBe(0);
    await until(async () => {
      const { sum } = await scrape();
      return sum('callsheet_calls_ended_total') === PEOPLE;
    });
    await io.written('completed; results:');
    // At last nothing is open, in doubt or left.
    const gauges = ['calls_in_progress', 'calls_in_doubt', 'leads_waiting'];
    const left = (read: Awaited<ReturnType<typeof scrape>>) =>
      gauges.map((name) => read.sum(`callsheet_${name}`));
    await until(async () => left(await scrape()).every((value) => value === 0));
    const { sum, text } = await scrape();
    io.signal();
    expect((await ended).code).toBe(0);

    expect(service.ledger()).toHaveLength(PEOPLE);
    expect(sum('callsheet_calls_started_total')).toBe(PEOPLE);
    const rows = rowsOf(at.read('data/results/spring.csv'));
    for (const result of new Set(rows.map((row) => row['call_result'] ?? '')))
      expect(sum('callsheet_calls_ended_total', { result })).toBe(
        rows.filter((row) => row['call_result'] === result).length,
      );
    expect(sum('callsheet_service_errors_total')).toBe(0);
    const polledAt = sum('callsheet_last_poll_timestamp_seconds');
    expect(polledAt).toBeGreaterThan(sum('process_start_time_seconds'));
    expect(sum('callsheet_healthy')).toBe(1);
    expect(text).not.toMatch(/\+1\d{10}/);
  });

  it('is well on the port of webhooks, names nobody there, and ends both addresses', async () => {
    const { io, ended, ask, metrics, receiver } = await served();
    expect(await ask(`${receiver}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect((await ask(`${receiver}/metrics`)).status).toBe(404);
    io.signal();
    await ended;
    await expect(ask(metrics)).rejects.toThrow();
    expect(io.err()).toContain('Stopped. Deliveries: 1 not found.');
  });

  it('tells no metrics unless it is asked to', async () => {
    const service = await simulatedService();
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
    const { io, ended } = at.begin(['serve', '--port', '0', '--service-url', service.url, ...DB]);
    await io.written('Webhooks of');
    io.signal();
    await ended;
    expect(io.err()).not.toContain('Metrics');
  });

  it.each([
    ['0.0.0.0:9464', 'is not on this machine alone'],
    ['metrics.example.com:9464', 'is not on this machine alone'],
    ['[::]:9464', 'is not on this machine alone'],
    ['127.0.0.1', 'is not a whole number'],
    ['localhost:70000', 'is not a whole number'],
  ])('refuses --metrics %s: %s', async (given, why) => {
    const ended = await desk().run(['serve', '--metrics', given, ...DB]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(why) as string });
  });
});
