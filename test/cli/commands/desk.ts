import { expect } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import type { AtEnd } from '../../helpers/files/temp.ts';
import { until } from '../../helpers/until.ts';
import { voiceServer, type Behaviour } from '../../helpers/services/voice-server.ts';

export const PHONES = ['+12125550100', '+12125550101', '+12125550102'];
const [AL, BO, CY] = PHONES as [string, string, string];
/** Three people, one of them twice, and a row without a number. */
const LIST = `name,phone\nAl,${AL}\nBo,${BO}\nCy,${CY}\nDi,${AL}\nEd,n/a\n`;
export const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
/** No call is ever completed. */
export const NOT_YET: Behaviour = { analytics: () => ({ status: 409, body: {} }) };

/**
 * A desk with a list, and the service that its environment names.
 *
 * @param atEnd removes both; default: at the end of the test
 */
export async function aDesk(behaviour: Behaviour = {}, atEnd?: AtEnd) {
  const service = await voiceServer(behaviour, atEnd);
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' }, atEnd);
  at.write('leads.csv', LIST);
  return { at, service };
}

/** What a command that succeeds prints with --json. */
export async function json(at: Desk, argv: string[]): Promise<unknown> {
  const { code, out } = await at.run([...argv, '--json']);
  expect(code).toBe(0);
  return JSON.parse(out);
}

/** The campaigns that `list` names. */
export async function listed(at: Desk, ...options: string[]): Promise<unknown[]> {
  return ((await json(at, ['list', ...options])) as { items: unknown[] }).items;
}

/** Resolves once the only campaign has its first call on the line. */
export async function oneOpen(at: Desk): Promise<void> {
  await until(async () => {
    const [first] = (await listed(at)) as { open: number }[];
    return first?.open === 1;
  });
}

/** A run that was left while its one call was open. */
export async function leftOpen(at: Desk): Promise<void> {
  const { io, ended } = at.begin([...RUN, '--limit', '1']);
  await io.written('3 waiting');
  await oneOpen(at);
  io.signal();
  io.signal();
  expect((await ended).code).toBe(130);
}
