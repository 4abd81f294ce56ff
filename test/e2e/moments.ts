import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import { desk, type Desk } from '../helpers/callsheet.ts';
import { LIVE, leadTo } from '../helpers/services/live-service.ts';
import { voiceServer, type Behaviour } from '../helpers/services/voice-server.ts';

/** The machine's clock, put to a moment, from which it goes on. */
export function clockFrom(moment: string): Clock {
  const [begun, from] = [systemClock.now(), Date.parse(moment)];
  return { ...systemClock, now: () => from + systemClock.now() - begun };
}

const RULE = `about: hours of our own, every day
hours:
  mon-sun: 08:00-21:00
  source: 'our works council'
  grade: J
  checked: 2026-11-26
`;

/** Somebody with one number to call at a live service from 8 to 21 h every day, and moments at which the campaign runs. */
export async function aDeskFor(
  phone: string,
  behaviour: Behaviour = {},
  settings: readonly string[] = [],
): Promise<{ at: Desk; rung: () => string[]; callAt: (moment: string) => Promise<void> }> {
  const service = await voiceServer(behaviour);
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('daily.yaml', RULE);
  at.write('leads.csv', `Name,Mobile\nAl,${phone}\n`);
  const connect = leadTo({ [LIVE]: service.url });
  const set = ['polling.floor=20ms', ...settings].flatMap((one) => ['--set', one]);
  const live = ['--agent', 'ag_1', '--service-url', LIVE, ...set];
  const run = ['run', 'leads.csv', ...live, '--db', 'calls.db', '--rules', 'daily.yaml'];
  return {
    at,
    rung: () => service.dialled,
    callAt: async (moment) => {
      await at.run(run, { clock: clockFrom(moment), connect, typed: 'yes\n' });
    },
  };
}
