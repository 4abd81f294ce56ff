import { describe, expect, it, onTestFinished } from 'vitest';
import type { CampaignDetail } from '../../../src/console/contract/campaigns.ts';
import type { Job } from '../../../src/console/contract/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole } from '../../helpers/console.ts';
import { START } from '../../helpers/clock.ts';
import { Night } from '../../helpers/night.ts';

const LIST = 'phone\n+12125550101\n+12125550102\n+12125550103\n';
const SPRING = '/api/v1/campaigns/spring';

/** A console whose nights pass as fast as the machine can work, and a campaign that is called at 3 in the night. */
async function scene() {
  const here = desk();
  here.write('spring.csv', LIST);
  const told = ['--set', 'schedule=0 3 * * *', '--timezone', 'UTC', '--rules', 'always'];
  expect(
    await here.run(['import', 'spring', 'spring.csv', '--service', 'simulated', ...told]),
  ).toMatchObject({ code: 0 });
  const night = new Night();
  const console = await startTestConsole({ folder: here.cwd, io: { clock: night.clock } });
  onTestFinished(() => console.close());
  const look = () => console.json<CampaignDetail>('GET', SPRING);
  const start = (body: object) => console.json<Job>('POST', `${SPRING}/start`, body);
  return { console, night, look, start };
}
