import { expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { desk, rowsOf } from '../helpers/callsheet.ts';
import { LIVE, leadTo } from '../helpers/services/live-service.ts';
import { voiceServer } from '../helpers/services/voice-server.ts';

const [NEW_YORK, CHICAGO] = ['+12125550200', '+13125550200'];
const rule = (calls: number) => `about: a limit of our own
hours:
  mon-sun: 08:00-21:00
  source: 'our works council'
  grade: J
  checked: 2026-11-27
caps:
  - calls: ${calls}
    per: 7d
    source: 'our works council'
    grade: J
    checked: 2026-11-27
`;

it('says of each call why it was allowed then, whatever list, rules and suppression list say since', async () => {
  const service = await voiceServer({
    analytics: (_, phone) => ({ body: { phone, outcome: 'no_answer', duration: 0 } }),
  });
  const at = desk({ VOICE_API_KEY: 'k' });
  const connect = leadTo({ [LIVE]: service.url });
  const retry = ['retry.attempts=2', 'retry.after.no_answer=1h', 'retry.alternatives=1'];
  const settings = [...retry, 'polling.floor=20ms'].flatMap((set) => ['--set', set]);
  const call = async (moment: string, ...rules: string[]) => {
    const [begun, from] = [systemClock.now(), Date.parse(moment)];
    const clock = { ...systemClock, now: () => from + systemClock.now() - begun };
    const live = ['--agent', 'ag_1', '--service-url', LIVE, '--db', 'calls.db', ...rules];
    await at.run(['run', 'leads.csv', ...live, ...settings], { clock, connect, typed: 'yes\n' });
  };
  at.write('ours.yaml', rule(3));
  at.write('dnc.csv', 'phone\n+12125550299\n');
  at.write('leads.csv', `Name,Mobile,Work Phone,Phone consent\nAl,${NEW_YORK},${CHICAGO},yes\n`);
  await at.run(['suppress', 'import', 'dnc.csv', '--as-of', '2026-11-20', '--db', 'calls.db']);

  await call('2026-12-01T15:00-05:00', '--rules', 'ours.yaml');
  at.write('ours.yaml', rule(2));
  at.write(
    'later.csv',
    `Name,Mobile,Work Phone,Phone consent\nBo,,,\nAl,${NEW_YORK},${CHICAGO},1\n`,
  );
  await at.run(['import', 'leads', 'later.csv', '--db', 'calls.db'], { connect });
  await at.run(['suppress', 'import', 'dnc.csv', '--as-of', '2026-11-25', '--db', 'calls.db']);
  await call('2026-12-01T18:00-05:00', '--rules', 'ours.yaml');

  expect(service.dialled).toEqual([NEW_YORK, CHICAGO]);
  await at.run(['export', 'leads', '--per', 'attempt', '-o', 'all.csv', '--db', 'calls.db']);
  const rows = rowsOf(at.read('all.csv'));
  expect(rows.map((row) => [row['call_timezone'], row['call_local_time']])).toEqual([
    ['America/New_York', '2026-12-01T15:00-05:00'],
    ['America/Chicago', '2026-12-01T17:00-06:00'],
  ]);
  const [first = '', second = ''] = rows.map((row) => row['call_allowed_by'] ?? '');
  expect(first).toMatch(
    /^2026-12-01 15:00 in America\/New_York; rule ours \([\da-f]{8}\); 0 of 3 calls in 7 days \(ours\); line 2 of .*leads\.csv; "Phone consent" says "yes"; .*dnc\.csv of 2026-11-20; started by \S+ at 2026-12-01T20:00Z$/,
  );
  expect(second).toContain('of 2 calls in 7 days (ours)');
  expect(second).toMatch(/line 3 of .*later\.csv; "Phone consent" says "1";/);
  expect(second).toContain('dnc.csv of 2026-11-25');
  expect(second).toMatch(/started by \S+ at 2026-12-01T23:00Z$/);
  const { out } = await at.run(['explain', NEW_YORK, '--db', 'calls.db', '--all']);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`allowed: ${first.slice(0, 40)}`);
});
