import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { gate, voiceServer } from '../../helpers/services/voice-server.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const PHONES = Array.from({ length: 6 }, (_, i) => `+1212555010${i}`);
/** Header of the log, header of each frame, and the page behind it (https://www.sqlite.org/walformat.html). */
const LOG_HEADER = 32;
const FRAME = 24 + 4_096;

it.each([
  ['first', () => 0],
  ['middle', (frames: number) => Math.floor(frames / 2)],
])(
  'a flipped bit in the log (%s page) loses the last commits: the journal brings the calls back, nobody is called twice',
  async (_, place) => {
    const held = gate();
    const service = await voiceServer({
      dial: async (_, callId, count) => {
        if (count === 4) await held.pass();
        return { body: { call_id: callId } };
      },
    });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
    at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
    const run = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
    const killed = spawnCallsheet(at, [...run, '--concurrency', '1', '--db', 'calls.db']);
    await held.waiting(1);
    killed.kill('SIGKILL');
    await killed.ended;
    held.open();
    flipBit(at.path('calls.db-wal'), place);

    const ended = await at.run([...run, '--concurrency', '9', '--db', 'calls.db']);

    expect(ended.err).toMatch(
      /The database was replaced by an older copy, or has lost its last commits: \d calls? that it no longer knew/,
    );
    expect(ended.code).toBe(5);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  },
);

function flipBit(path: string, frameOf: (frames: number) => number): void {
  const log = readFileSync(path);
  const at = LOG_HEADER + frameOf(framesIn(log)) * FRAME + 64;
  log[at] = (log[at] ?? 0) ^ 1;
  writeFileSync(path, log);
}

/** Those since the last checkpoint; older ones stand behind them, with other salts, and nobody reads them. */
function framesIn(log: Buffer): number {
  const salts = log.subarray(16, 24);
  let frames = 0;
  for (let at = LOG_HEADER; log.subarray(at + 8, at + 16).equals(salts); at += FRAME) frames++;
  return frames;
}
