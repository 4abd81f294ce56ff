import { expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

const RETRY_AFTER_S = 1_800;

it('a service that wants to be left alone for long ends the run, whose last line says when to come again', async () => {
  const service = await voiceServer({
    dial: () => ({ status: 429, headers: { 'retry-after': `${RETRY_AFTER_S}` }, body: {} }),
  });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', 'phone\n+12125550100\n+12125550101\n');

  const first = await at.run(['run', 'leads.csv', '--agent', 'ag_1']);
  const again = await at.run(['run', 'leads', '--json']);

  expect(first.code).toBe(3);
  expect(first.err).toMatch(
    /2 leads wait; `.*run leads` goes on\. Next at \w{3} \d{4}-\d\d-\d\d .*\.\n$/,
  );
  expect(again.code).toBe(3);
  const { nextAt, exitCode } = JSON.parse(again.out) as { nextAt: string; exitCode: number };
  expect(exitCode).toBe(3);
  expect(nextAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
  // The second run may ask a moment later, in another second.
  const [, said = ''] = /Next at \w{3} (\S+ \S+) /.exec(first.err) ?? [];
  const apartMs = Date.parse(`${said}Z`) - Date.parse(`${nextAt.slice(0, 19)}Z`);
  expect(Math.abs(apartMs)).toBeLessThanOrEqual(60_000);
  expect(service.dialled).toHaveLength(1);
});
