import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { change } from '../../../store/sqlite/database.ts';

const PHONES = [0, 1].map(livePhone);
const POLITE = `about: hours of our own
hours:
  mon-fri: 09:00-20:00
  sat-sun: closed
  source: 'our works council'
  grade: J
  checked: 2026-11-23
`;
/** New York: Monday 15:00, when these hours are open, and 21:00, when they are closed. */
const OPEN = Date.parse('2026-11-23T20:00:00Z');
const CLOSED = Date.parse('2026-11-24T02:00:00Z');

/** A campaign whose people were stored by a version that kept no places, run at `now`. */
async function runAt(now: number) {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('polite.yaml', POLITE);
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const begun = systemClock.now();
  const given = {
    clock: { ...systemClock, now: () => now + systemClock.now() - begun },
    connect: leadTo({ [LIVE]: service.url }),
    typed: 'yes\n',
  };
  const atLive = ['--agent', 'ag_1', '--service-url', LIVE, '--timezone', 'America/New_York'];
  const rules = ['--rules', 'polite.yaml', '--set', 'zones.unknown=skip'];
  const fast = ['--set', 'polling.floor=20ms', '--db', 'calls.db'];
  const imported = await at.run(
    ['import', 'spring', 'leads.csv', ...atLive, ...rules, ...fast],
    given,
  );
  expect(imported).toMatchObject({ code: 0 });
  change(at.path('calls.db'), "UPDATE leads SET zone_key = ''");
  const { code } = await at.run(['run', 'spring', '--db', 'calls.db'], given);
  return { code, dialled: service.dialled };
}

describe('people who were stored without their place', () => {
  it('are called within the hours of the place that their numbers name', async () => {
    const { code, dialled } = await runAt(OPEN);

    expect(code).toBe(0);
    expect(dialled).toHaveLength(PHONES.length);
  });

  it('are not called outside of them', async () => {
    const { code, dialled } = await runAt(CLOSED);

    expect(code).toBe(3);
    expect(dialled).toEqual([]);
  });
});
