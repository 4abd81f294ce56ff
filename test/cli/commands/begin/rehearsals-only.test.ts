import { expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';

const INIT = ['init', '--service', 'simulated', '--list', 'sample', '--country', 'US'];

it('a folder that has only rehearsals has one database, wherever below it a command is given', async () => {
  const at = desk();
  expect((await at.run(INIT)).code).toBe(0);
  const below = { cwd: at.path('campaigns'), clock: hastyClock(100) };
  const first = await at.run(['run', 'sample.yaml'], below);
  expect(first.code).toBe(0);
  expect(first.err).toContain(`from ${at.cwd} (the nearest folder above with data/simulated.db).`);
  expect(at.has('campaigns/data')).toBe(false);
  const again = await at.run(['run', 'campaigns/sample.yaml']);
  expect(again.err).toContain('0 to call now, 53 done already');
});

it('doctor and serve take the rehearsals where nothing else is set up; serve off a terminal does not', async () => {
  const at = desk();
  await at.run(INIT);
  const { code, out } = await at.run(['doctor']);
  expect([code, out]).toEqual([0, expect.stringMatching(/^database +yes +\S+simulated\.db/m)]);
  expect(out).toMatch(/^service +yes .* answers/m);

  const refused = await at.run(['serve', '--port', '0']);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('is this the right folder?'),
  ]);
  const { io, ended } = at.begin(['serve', '--port', '0'], { stdinIsTty: true, stderrIsTty: true });
  await io.written('Only rehearsals are here: they are served by the embedded service; nobody is');
  await io.written('Webhooks of');
  io.signal();
  expect((await ended).code).toBe(0);
});
