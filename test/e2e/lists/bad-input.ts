import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { desk, type Desk, type Ended } from '../../helpers/callsheet.ts';
import { voiceServer, type Behaviour } from '../../helpers/services/voice-server.ts';

export const KEY = 'sk-one-two-three';
export const GOOD = 'name,phone\nAl,+12125550100\n';
export const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];

export function deskAt(url: string, list = GOOD): Desk {
  const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: KEY });
  at.write('leads.csv', list);
  return at;
}

export async function aDesk(list = GOOD, behaviour: Behaviour = {}) {
  const service = await voiceServer(behaviour);
  return { at: deskAt(service.url, list), service };
}

export function filesOf({ cwd }: Desk): string[] {
  return (readdirSync(cwd, { recursive: true }) as string[]).toSorted();
}

/** One sentence with its next step: no stack, no key, no double full stop, nothing on stdout. */
export function expectSaid(
  { code, out, err }: Ended,
  expected: number,
  sentence: RegExp,
  next: RegExp,
): void {
  expect(err).toMatch(/^callsheet: .+\n {2}next: .+\n$/s);
  const [message = '', step = ''] = err.split('\n  next: ');
  expect(message).toMatch(sentence);
  expect(step).toMatch(next);
  expect(err).not.toMatch(/\n\s+at |\.\.(\s|$)|undefined|\[object/);
  expect(err).not.toContain(KEY);
  expect(out).toBe('');
  expect(code).toBe(expected);
}
