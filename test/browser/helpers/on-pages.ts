import { systemClock } from '../../../src/runtime/clock.ts';
import type { SimulatorOptions } from '../../../src/simulator/options.ts';
import { desk } from '../../helpers/callsheet.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { CALL_MS, listOf, USERS } from './a-campaign.ts';
import { aConsole } from './a-console.ts';
import { aPage } from './a-page.ts';

/**
 * As `aCampaign`, but from an empty database through the pages alone: its list is sent, its settings are typed, and ann
 * is on its page. Nobody is called yet.
 *
 * @param settings further settings, by their keys
 */
export async function aCampaignOnPages({
  people = 900,
  faults = {},
  clock = systemClock,
  concurrency = '2',
  settings = {},
}: {
  people?: number;
  faults?: SimulatorOptions['faults'];
  clock?: typeof systemClock;
  concurrency?: string;
  settings?: Readonly<Record<string, string>>;
} = {}) {
  const service = await simulatedService({ timeScale: 1, fixedCallMs: CALL_MS, faults });
  const here = desk();
  here.write('services.yaml', `lines: { url: "${service.url}", keyEnv: LINES_KEY }\n`);
  const console = await aConsole({
    folder: here.cwd,
    io: { env: { LINES_KEY: KEY }, clock },
    services: here.path('services.yaml'),
    users: USERS,
  });
  const page = await aPage(console, { as: 'ann', viewport: { width: 1280, height: 1200 } });
  await page.goto('/new');
  await page.locator('input[type=file]').setInputFiles({
    name: 'spring.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(listOf(people)),
  });
  for (const step of ['columns', 'rows', 'settings']) {
    await page.getByRole('button', { name: `On to the ${step}` }).click();
    await page.waitForURL(new RegExp(`/${step}$`));
  }
  await page.getByLabel('Service').selectOption('lines');
  await page.getByLabel('Agent', { exact: true }).selectOption(AGENT);
  await page.locator('.setting-value').getByText(AGENT).waitFor();
  for (const [key, value] of Object.entries({
    ...{ concurrency, 'polling.floor': '50ms' },
    ...settings,
  })) {
    await page.getByRole('button', { name: `Change ${key}`, exact: true }).click();
    await page.getByRole('textbox', { name: key, exact: true }).fill(value);
    const save = page.getByRole('button', { name: `Save ${key}`, exact: true });
    await save.click();
    await save.waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'On to the plan' }).click();
  await page.getByRole('button', { name: 'Only import' }).click();
  await page.waitForURL(/\/campaigns\/spring$/);
  return { service, console, page };
}
