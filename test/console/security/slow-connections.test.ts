import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../helpers/clock.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { answerOf, openSocket, requestText } from '../../helpers/requests/raw-http.ts';

let console: TestConsole;
afterEach(async () => {
  await console.close();
});

const authorization = () => `Bearer ${console.tokens.operator ?? ''}`;
const folder = () => join(console.folder, 'data', 'uploads');
const kept = () => (existsSync(folder()) ? readdirSync(folder()) : []);

describe('a connection that is held for nothing', () => {
  const opened = (path: string, headers: Record<string, string | null>, body: string) => {
    const socket = openSocket(console.url);
    const all = { authorization: authorization(), connection: 'keep-alive', ...headers };
    socket.write(requestText(console.url, 'POST', path, all, body));
    return { socket, answer: answerOf(socket) };
  };
  const json = { 'content-type': 'application/json', 'content-length': '100' };

  it('is closed after a minute: a body that does not come to its end, from nobody, too', async () => {
    const clock = new VirtualClock();
    console = await startTestConsole({ io: { clock } });
    const slow = [
      opened('/api/v1/session', { ...json, origin: console.url }, '{"name":'),
      opened('/api/v1/campaigns', json, '{'),
      opened('/api/v1/campaigns', { ...json, authorization: 'Bearer x' }, '{'),
    ];
    await untilOpen(console, 3);
    await clock.advance(59_000);
    expect(slow.map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
    await clock.advance(1_000);
    const answers = await Promise.all(slow.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual([0, 0, 401]);
  });

  it('is closed a minute after a file that is too large was refused, also if it goes on', async () => {
    const clock = new VirtualClock();
    console = await startTestConsole({ io: { clock }, mostUploadBytes: 1_000 });
    const large = [
      opened('/api/v1/uploads', { 'content-length': '1000000000' }, 'x'.repeat(10)),
      opened(
        '/api/v1/uploads',
        { 'transfer-encoding': 'chunked', 'content-length': null },
        `fff\r\n${'x'.repeat(0xfff)}\r\n`,
      ),
    ];
    for (const { socket } of large) await new Promise((resolve) => socket.once('data', resolve));
    await clock.advance(60_000);
    const answers = await Promise.all(large.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
    expect(kept()).toEqual([]);
  });

  it('is not one whose file takes hours', async () => {
    const clock = new VirtualClock();
    console = await startTestConsole({ io: { clock } });
    const size = { 'content-length': '20', connection: 'close' };
    const { socket, answer } = opened('/api/v1/uploads?name=slow.csv', size, 'phone\n');
    while (kept().length === 0) await new Promise(setImmediate);
    await clock.advance(5 * 3_600_000);
    socket.write('+12125550101\n\n');
    expect((await answer).status).toBe(201);
  });
});

/** Waits until the server has begun with so many requests. */
async function untilOpen({ url }: TestConsole, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await fetch(`${url}/nothing`);
}
