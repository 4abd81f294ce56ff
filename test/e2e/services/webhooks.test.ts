import { describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../../src/simulator/options.ts';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';

const phonesOf = (people: number) => Array.from({ length: people }, (_, n) => aPhone(n));
const PHONES = phonesOf(50);
/** Of the last calls of 50 a captured lead can be held back until the results are written; of these none is. */
const MANY_PHONES = phonesOf(120);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const RUN = [
  ...['run', 'leads.csv', '--agent', AGENT, '-o', 'out.csv', '--concurrency', '20'],
  ...['--webhooks', '--port', '0'],
];
/** Looks so rare that only a delivery brings a result in time. */
const BY_WEBHOOKS = ['--set', 'polling.floor=10m', '--set', 'polling.ceiling=10m'];
const BY_BOTH = ['--set', 'polling.floor=100ms', '--set', 'polling.ceiling=2s'];

/** A campaign whose service tells of every call; `faults` are of its events. */
async function aNight(
  how: string[],
  options: Partial<SimulatorOptions>,
  secret: string | null = SECRET,
  { tells = true, phones = PHONES, factor = 5 } = {},
) {
  // One clock for both: a delivery whose time is five minutes off is refused.
  const clock = hastyClock(factor);
  const service = await simulatedService({ clock, timeScale: 2_000 / factor, ...options });
  const env = secret === null ? {} : { VOICE_WEBHOOK_SECRET: secret };
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY, ...env });
  at.write('leads.csv', `phone\n${phones.join('\n')}\n`);
  const { io, ended } = at.begin([...RUN, ...how], { clock });
  await io.written('Webhooks of');
  const url = /go to (\S+) \(/.exec(io.err())?.[1] ?? '';
  if (tells) service.sendWebhooksTo({ url, secret });
  return { service, at, url, ended: await ended };
}

/** Every row against what the service itself knows of the call. */
function compare(
  at: Desk,
  service: Awaited<ReturnType<typeof aNight>>['service'],
  phones = PHONES,
): void {
  const ledger = service.ledger();
  expect(ledger.map((entry) => entry.phone_number).toSorted()).toEqual(phones);
  expect(rangTwice(ledger)).toEqual([]);
  const rows = rowsOf(at.read('out.csv'));
  expect(rows.map((row) => row['call_phone'])).toEqual(phones);
  expect(rows.every((row) => row['call_state'] === 'done')).toBe(true);
  expect(rows.filter((row) => row['call_result'] === 'answered').length).toBeGreaterThan(8);
  for (const { phone_number: phone, rings } of ledger) {
    const row = rows.find((each) => each['call_phone'] === phone);
    const [ring] = rings;
    expect(row).toMatchObject({
      call_id: ring?.call_id,
      call_duration_seconds: String(ring?.duration),
      call_sentiment: ring?.sentiment?.label ?? '',
      call_transcript: ring?.transcript ?? '',
    });
    const told = JSON.parse(row?.['call_captured_lead'] || '[]') as unknown[];
    for (const lead of told) expect(lead).toEqual(ring?.captured_lead);
  }
  if (service.events().every(({ state }) => state === 'waiting')) return;
  const captured = service.events().filter(({ type }) => type === 'lead.captured');
  const told = captured.filter(({ state }) => state === 'acknowledged');
  expect(told.length).toBeGreaterThan(0);
  const withLead = rows.filter((row) => row['call_captured_lead'] !== '');
  expect(withLead.map((row) => row['call_id']).toSorted()).toEqual(
    told.map((event) => event.call_id).toSorted(),
  );
}

describe('a rehearsal', () => {
  it('brings captured leads, too', async () => {
    const at = desk();
    at.write('leads.csv', `phone\n${PHONES.slice(0, 40).join('\n')}\n`);
    const argv = [
      ...['run', 'leads.csv', '--service', 'simulated', '-o', 'out.csv', '--concurrency', '40'],
      ...['--webhooks', '--port', '0', '--set', 'polling.floor=1s'],
    ];
    const ended = await at.run(argv, { clock: hastyClock(25) });

    expect(ended).toMatchObject({ code: 0 });
    const captured = rowsOf(at.read('out.csv')).filter((row) => row['call_captured_lead'] !== '');
    expect(captured.length).toBeGreaterThan(0);
    const table = ['export', 'leads', '--captured-leads', '-o', '-'];
    const { out } = await at.run(table);
    expect(
      rowsOf(out)
        .map((row) => row['call_phone'])
        .toSorted(),
    ).toEqual(captured.map((row) => row['call_phone']).toSorted());
    expect(rowsOf(out).every((row) => row['captured_signed'] === 'yes')).toBe(true);
  }, 60_000);
});

describe('a campaign', () => {
  it('is settled by webhooks alone', async () => {
    const { service, at, ended } = await aNight(BY_WEBHOOKS, {});

    expect(ended).toMatchObject({ code: 0 });
    compare(at, service);
  }, 120_000);

  it('is settled by looks alone', async () => {
    const { service, at, ended } = await aNight(BY_BOTH, {}, SECRET, { tells: false });

    expect(ended).toMatchObject({ code: 0 });
    compare(at, service);
    expect(service.events().some(({ state }) => state !== 'waiting')).toBe(false);
  }, 120_000);

  it('is settled by unsigned webhooks alone, as the service confirms what they say', async () => {
    const { service, at, ended } = await aNight(BY_WEBHOOKS, {}, null);

    expect(ended).toMatchObject({ code: 0 });
    compare(at, service);
  }, 120_000);

  it('has no doubt left where webhooks are the only trace of dials whose answers were lost', async () => {
    const faults = { 'drop-response': 0.08, '500-after': 0.08 };
    // With this one eight answers are lost, and no two one after the other: that is followed by a pause of minutes.
    const options = { faults, seed: 'webhooks-2372' };
    const { service, at, ended } = await aNight(BY_WEBHOOKS, options, SECRET, { factor: 40 });

    expect(ended).toMatchObject({ code: 0 });
    compare(at, service);
  }, 120_000);

  it('is right with both, where webhooks are lost, repeated, early and out of order', async () => {
    const faults = {
      'webhook-lost': 0.03,
      'webhook-repeat': 0.05,
      'webhook-early': 0.05,
      'webhook-reorder': 0.2,
    };
    const phones = MANY_PHONES;
    const { service, at, ended } = await aNight(BY_BOTH, { faults }, SECRET, { phones });

    expect(ended).toMatchObject({ code: 0 });
    compare(at, service, phones);
  }, 120_000);
});
