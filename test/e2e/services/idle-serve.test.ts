import { expect, it } from 'vitest';
import { json } from '../../cli/commands/desk.ts';
import { desk } from '../../helpers/callsheet.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';
import { startTestConsole } from '../../helpers/console.ts';
import { until } from '../../helpers/until.ts';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';

it('a console and a command beside a serve that waits say that it calls at its time, and without it that nobody does', async () => {
  const at = desk();
  at.write('spring.csv', 'phone\n+12125550101\n+12125550102\n');
  // In some months.
  const month = ((new Date().getUTCMonth() + 5) % 12) + 1;
  const set = ['--set', 'timezone=UTC', '--set', `schedule=0 18 1 ${month} *`];
  await at.run(['import', 'spring', 'spring.csv', '--service', 'simulated', ...set]);
  await at.run(['resume', 'spring']);
  const console = await startTestConsole({ folder: at.cwd });
  const shown = () => console.json<CampaignDetail>('GET', '/api/v1/campaigns/spring');
  const listed = () =>
    console
      .json<{ items: CampaignDetail[] }>('GET', '/api/v1/campaigns')
      .then(({ items: [first] }) => first?.status);
  const still = { is: 'still', text: 'Standing still: 2 people wait, and nobody calls.' };
  expect(await shown()).toMatchObject({ status: still, begins: { isOn: false } });

  const serve = spawnCallsheet(at, ['serve', '--service', 'simulated', '--port', '0']);
  await until(async () => (await shown()).begins?.isOn === true);
  const text = expect.stringMatching(/^Calling starts .* at 18:00, until .* at 05:00\.$/) as string;
  const waiting = { is: 'waiting', text, reason: null };
  expect([(await shown()).status, await listed()]).toEqual([waiting, waiting]);
  expect(await json(at, ['status', 'spring'])).toMatchObject({ status: waiting });
  const { err } = await at.run(['status', 'spring']);
  expect(err).toContain('callsheet serve` goes on by itself. Calling starts');
  expect(err).not.toContain('nobody calls');

  serve.kill('SIGKILL');
  await serve.ended;
  expect([(await shown()).status, await listed()]).toMatchObject([still, still]);
  expect((await at.run(['status', 'spring'])).err).toContain('is not over, and nobody calls');
});
