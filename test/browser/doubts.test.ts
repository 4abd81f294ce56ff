import { expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import type { Doubts } from '../../src/views/calls.ts';
import type { CampaignDetail } from '../../src/views/campaigns.ts';
import { desk } from '../helpers/callsheet.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { leadTo, LIVE, livePhone } from '../helpers/services/live-service.ts';
import { voiceServer } from '../helpers/services/voice-server.ts';
import { until } from '../helpers/until.ts';
import { aCampaign, rings } from './helpers/a-campaign.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { press, tabTo } from './helpers/keyboard.ts';
import { photograph } from './helpers/screenshots.ts';

const WITHIN_MS = 90_000;

it(
  'one call in doubt is settled on the page, with what the service says of it',
  async () => {
    let passedMs = 0;
    const hasty = hastyClock(40);
    const { service, open } = await aCampaign({
      people: 2,
      faults: { 'drop-response': 1 },
      clock: { ...hasty, now: () => hasty.now() + passedMs },
      // A call in doubt holds its slot, so each needs one.
      concurrency: '2',
      settings: ['unknown.reconcileFor=1s'],
    });
    const console = await open();
    const page = await aPage(console, { as: 'ann', viewport: { width: 1280, height: 1200 } });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto('/campaigns/spring');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('link', { name: 'Settle the calls in doubt' }).waitFor();
    await until(() => service.ledger().length === 2);
    await page.goto('/campaigns/spring/doubts');
    await page.getByText('whether 2 calls were made').waitFor();
    await page.getByLabel('Choose Person 0').check();
    await page.getByText('Not now:').waitFor();
    // The longest call is over, which a page that lies open shows.
    passedMs = 16 * 60_000;
    await page.getByText('Not now:').waitFor({ state: 'detached' });
    expect(await barriers(page)).toEqual([]);

    const found = { messages: [], calls: [{ callId: 'call_1', byKey: true }] };
    await page.route('**/look', (route) => route.fulfill({ json: found }), { times: 1 });
    await button('Ask the service').click();
    await page.getByLabel('It was not made').check();
    await button('It is call call_1').click();
    await page.getByRole('radio', { name: 'It was made', checked: true }).waitFor();
    await button('Ask the service').click();
    await page.getByText('so only its own pages can tell').waitFor();
    const rang = service.ledger().find(({ phone_number: phone }) => phone === '+12125550100');
    await page.getByLabel('Call id at the service').fill(rang?.rings[0]?.call_id ?? '');
    await button('Settle this call').click();
    await page.getByText('1 call settled.').waitFor();

    // Nobody is called by a service on this machine, so no number has to be typed.
    await page.getByLabel('Choose Person 1').check();
    await page.getByLabel('It was not made').check();
    await page.getByLabel('Reason').fill('not in its log');
    await button('Settle this call').click();
    await page.getByRole('heading', { name: 'No call is in doubt' }).waitFor();

    await page.getByText('More', { exact: true }).click();
    await button('Fetch results').click();
    await page.goto('/campaigns/spring');
    await page.getByRole('link', { name: 'answered' }).waitFor();
    const now = await console.json<CampaignDetail>('GET', '/api/v1/campaigns/spring');
    expect(now).toMatchObject({ waiting: 1, doubts: 0, results: { answered: 1 } });
    expect(rings(service)).toHaveLength(2);
    await moveTo(page, '/campaigns/spring/history');
    await page.getByText('not in its log').waitFor();
  },
  WITHIN_MS,
);

const NAMES = ['Al', 'Bo', 'Cy', 'Di', 'Eva'];
const PHONES = NAMES.map((_, i) => livePhone(2 * i));
/** The service takes the last call without an id, and loses the answers of the others. */
const TAKEN = PHONES.at(-1);

/** Five calls in doubt at a live service, the last call over; others between them came through. */
async function fiveDoubts() {
  const service = await voiceServer({
    dial: ({ body }, callId) => {
      const phone = String(body['phone_number']);
      if (!PHONES.includes(phone)) return { body: { call_id: callId } };
      return phone === TAKEN ? { body: { ok: true } } : { status: 503, body: '' };
    },
  });
  const connect = leadTo({ [LIVE]: service.url });
  const here = desk({ VOICE_API_URL: LIVE, VOICE_API_KEY: 'k' });
  const rows = NAMES.flatMap((name, i) => [
    `${name},${livePhone(2 * i)}`,
    ...(i === NAMES.length - 1 ? [] : [`Other ${i},${livePhone(2 * i + 1)}`]),
  ]);
  here.write('leads.csv', `name,phone\n${rows.join('\n')}\n`);
  // The service fails: minutes pass between dials.
  const hasty = hastyClock(400);
  const set = ['--rules', 'always', '--concurrency', '9', '--yes', '--new-db'];
  const run = ['run', 'leads.csv', '--agent', 'ag_1', ...set, '--set', 'polling.floor=20ms'];
  expect(await here.run(run, { connect, clock: hasty })).toMatchObject({ code: 5 });
  const clock: Clock = { ...systemClock, now: () => hasty.now() + 16 * 60_000 };
  const io = { env: here.env, connect, clock };
  const console = await aConsole({ folder: here.cwd, io, users: { ann: 'operator' } });
  return { console, service };
}

it(
  'many calls in doubt are settled together by keyboard, and others by a call log that is sent',
  async () => {
    const { console, service } = await fiveDoubts();
    const dialled = service.dialled.toSorted();
    const at = '/api/v1/campaigns/leads/doubts';
    const doubts = async () => (await console.json<Doubts>('GET', at)).items;
    const all = await doubts();
    expect(all.map(({ name }) => name).toSorted()).toEqual(NAMES);
    const page = await aPage(console, { as: 'ann', viewport: { width: 1280, height: 1000 } });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto('/campaigns/leads/doubts');
    for (const name of ['Al', 'Bo', 'Eva'])
      await press(page, page.getByLabel(`Choose ${name},`), 'Space');
    await page.getByText('3 of 5 chosen').waitFor();
    expect(await page.getByRole('radio', { name: 'It was made', disabled: true }).count()).toBe(1);
    await page.getByText('send the call log of the service below').waitFor();
    await press(page, page.getByLabel('It was not made'), 'Space');
    await page.getByText('Not now for 1 of 3: the service answered the dial').first().waitFor();
    await tabTo(page, page.getByLabel('Reason'));
    await page.keyboard.type('its support says so');
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'doubts chosen');

    await press(page, button('Settle 2 calls'));
    const dialog = page.getByRole('dialog', { name: 'Were 2 people not called?' });
    await dialog.waitFor();
    expect(await barriers(page, { within: 'dialog[open]' })).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await button('Settle 2 calls').and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Type yes 2'));
    await page.keyboard.type('yes 3');
    await page.keyboard.press('Enter');
    expect(await doubts()).toHaveLength(5);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('yes 2');
    await page.keyboard.press('Enter');
    const outcome = page.locator('[role=status]', { hasText: '2 calls settled, 1 not.' });
    await outcome.and(page.locator(':focus')).waitFor();
    await outcome.getByText(`Eva, ${TAKEN}: the service answered the dial`).waitFor();
    expect((await doubts()).map(({ name }) => name).toSorted()).toEqual(['Cy', 'Di', 'Eva']);

    const sentAt = (phone: string) => all.find((one) => one.phone === phone)?.sentAt ?? '';
    const rows = [2, 3]
      .map((i) => PHONES[i] ?? '')
      .map((phone) => {
        return `${phone},call-${service.dialled.indexOf(phone) + 1},${sentAt(phone)}`;
      });
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'calls.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`number,call id,started at\n${rows.join('\n')}\nx,y,z\n`),
    });
    const question = page.getByRole('dialog', { name: 'Please confirm' });
    await question.getByText('calls.csv: 2 calls read.').waitFor();
    await question.getByText('not read: line 4').waitFor();
    await question.getByText(/is not in the log/).waitFor();
    await photograph(page, 'doubts in a call log');
    await page.getByLabel('Type yes to settle 2 of 3 calls in doubt as made').fill('yes');
    await page.keyboard.press('Enter');
    await page.getByText('0 of 1 chosen').waitFor();
    await page.getByText('brings their results in').waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('All', { exact: true }).check();
    await page.getByText('1 of 1 chosen').waitFor();
    for (const shown of [
      page.getByRole('rowheader', { name: 'Eva' }),
      page.getByLabel('Choose Eva,'),
    ])
      expect((await shown.boundingBox())?.x).toBeLessThan(200);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'doubts on a telephone');

    await page.getByText('More', { exact: true }).click();
    await button('Fetch results').click();
    const now = () => console.json<CampaignDetail>('GET', '/api/v1/campaigns/leads');
    await until(async () => (await now()).results['answered'] === 6);
    expect(await now()).toMatchObject({ waiting: 2, doubts: 1 });
    // Nobody was called for any of it.
    expect(service.dialled.toSorted()).toEqual(dialled);
    expect(new Set(dialled).size).toBe(dialled.length);
  },
  WITHIN_MS,
);
