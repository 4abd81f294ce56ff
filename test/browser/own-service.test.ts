import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';
import { aConsole } from './helpers/a-console.ts';
import { aPage, moveTo } from './helpers/a-page.ts';
import { barriers } from './helpers/barriers.ts';
import { rings } from './helpers/a-campaign.ts';
import { download } from './helpers/page-files.ts';
import { photograph } from './helpers/screenshots.ts';

it(
  'from nothing to calls by a service of one’s own: its key, its agent, a list, a country',
  { timeout: 90_000 },
  async () => {
    const service = await simulatedService();
    const here = desk();
    const console = await aConsole({ folder: here.cwd, users: { ann: 'admin', olga: 'operator' } });
    // A service that refuses a key is told as 502.
    const page = await aPage(console, { as: 'ann', expected: [/status of 502/] });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const link = (name: string) => page.getByRole('link', { name, exact: true }).click();
    const asked: string[] = [];
    page.on(
      'response',
      (one) =>
        void one.text().then(
          (text) => asked.push(text),
          () => undefined,
        ),
    );

    await page.goto('/');
    await link('Services that call people');
    await page.getByText('There is only the simulated service').waitFor();
    await press('Add a service');
    const dialog = page.getByRole('dialog', { name: 'Add a service' });
    await dialog.getByLabel('Provider').selectOption('telnyx');
    await dialog.getByLabel('Id: account').waitFor();
    expect(await dialog.getByLabel('Address').getAttribute('placeholder')).toMatch(/telnyx/);
    await photograph(page, 'add a service, of a provider');
    await dialog.getByLabel('Provider').selectOption('voice-agent');
    const address = dialog.getByLabel('Address');
    await address.fill('http://voice.example');
    const key = dialog.getByLabel('API key');
    await key.fill('a-wrong-key');
    await press('Test and keep it');
    await address.and(page.locator(':focus')).waitFor();
    await dialog.getByText('is not https; plain http is allowed on loopback only').waitFor();
    await address.fill(service.url);
    await press('Test and keep it');
    await key.and(page.locator(':focus')).waitFor();
    await dialog.getByText('The service refused the key').waitFor();
    expect(await key.getAttribute('type')).toBe('password');
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'add a service, refused');
    await key.fill(KEY);
    await key.press('Enter');
    const main = page.getByRole('region', { name: 'main' });
    await main.getByText(/answers, the key is accepted, 1 agent/).waitFor();
    await main.getByText('key present').waitFor();
    const kept = join(here.cwd, 'campaigns/main.key');
    expect([readFileSync(kept, 'utf8'), statSync(kept).mode & 0o777]).toEqual([`${KEY}\n`, 0o600]);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'services, one of our own');
    expect(await page.locator('body').innerText()).not.toContain(here.cwd);

    await main
      .getByRole('link', { name: 'Demo agent' })
      .or(main.getByRole('link', { name: AGENT }))
      .click();
    const template = await download(page, () => link('an empty list to fill in'));
    appendFileSync(template, 'Ann,A,+12125550101,,,,,,\r\nBen,B,(212) 555-0102,,,,,7,\r\n');
    await page.locator('input[type=file]').setInputFiles(template);
    await press('On to the columns');
    await page.getByLabel('phone is taken for').waitFor();
    for (const [header, meaning] of Object.entries({
      phone: 'phone',
      'first name': 'firstName',
      id: 'externalId',
      state: 'state',
    }))
      expect(await page.getByLabel(`${header} is taken for`).inputValue()).toBe(meaning);
    await press('On to the rows');
    await page.getByText('1 of 2 rows').waitFor();
    const country = page.getByLabel('Country of numbers without +');
    expect(await country.inputValue()).toBe('US');
    await page.getByText('A first guess, by the other numbers').waitFor();
    expect(await page.locator('datalist option[value=DE]').textContent()).toBe('Germany');
    expect(await page.locator('datalist option').count()).toBeGreaterThan(240);
    await photograph(page, 'rows, the country guessed');
    await press('Read them as US');
    await page.getByText('2 of 2 rows').waitFor();
    await press('On to the settings');
    expect(await page.getByLabel('Service').inputValue()).toBe('main');
    await press('On to the plan');
    await page.getByText('2 rows, 2 good').waitFor();
    await page
      .getByRole('button', { name: /^(Start|Call)/ })
      .first()
      .click();
    await expect
      .poll(() => rings(service).toSorted(), { timeout: 30_000 })
      .toEqual([...['+12125550101', '+12125550102']]);

    await moveTo(page, '/services');
    await press('Another key');
    const other = page.getByRole('dialog', { name: 'Another key for main' });
    await other.getByLabel('API key').fill('a-wrong-key');
    await press('Test and keep it');
    await other.getByText('The service refused the key').waitFor();
    await other.getByLabel('API key').fill(KEY);
    await press('Test and keep it');
    await other.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Another key' }).and(page.locator(':focus')).waitFor();
    expect(asked.filter((text) => text.includes(KEY))).toEqual([]);

    const olgas = await aPage(console, { as: 'olga' });
    await olgas.goto('/services');
    await olgas.getByRole('region', { name: 'main' }).waitFor();
    expect(await olgas.getByRole('button', { name: /Add a service|Another key/ }).count()).toBe(0);
  },
);
