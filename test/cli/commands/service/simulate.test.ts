import { describe, expect, it } from 'vitest';
import { main } from '../../../../src/cli/main.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { fakeIo } from '../../../helpers/fake-io.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';

describe('simulate', () => {
  it('says how to use it, serves until Ctrl-C, and stops', async () => {
    const io = fakeIo({ cwd: tempFolder() });
    const ended = main(['simulate', '--port', '0', '--key', 'de$mo', '--state', 'state.jsonl'], io);
    await io.written('Stop it with Ctrl-C.');
    const url = io.out().trim();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(io.err()).toContain(`export VOICE_API_URL=${url} VOICE_API_KEY='de$mo'`);

    const client = fakeIo({ cwd: '/', env: { VOICE_API_URL: url, VOICE_API_KEY: 'de$mo' } });
    expect(await main(['agents', 'list', '--json'], client)).toBe(0);
    expect(JSON.parse(client.out())).toMatchObject({ complete: true });

    io.signal();
    expect(await ended).toBe(0);
    expect(io.err()).toContain('has stopped');
    const hasty = { ...client, clock: hastyClock(20) };
    expect(await main(['agents', 'list'], hasty)).not.toBe(0);
  });

  it('makes up a key, and prints address and keys as JSON', async () => {
    const io = fakeIo({ cwd: tempFolder() });
    const ended = main(['simulate', '--port', '0', '--json', '--rate', '5', '--capacity', '2'], io);
    await io.written('ledger');
    const { url, keys, ledger } = JSON.parse(io.out()) as Record<string, unknown>;
    expect(keys).toEqual(['key_1']);
    expect(ledger).toBe(`${String(url)}/ledger`);
    io.signal();
    expect(await ended).toBe(0);
  });

  it('names the cost of a begun minute in analytics', async () => {
    const io = fakeIo({ cwd: tempFolder() });
    const flags = ['--key', 'demo', '--mix', 'reminder', '--time-scale', '100000'];
    const ended = main(['simulate', '--port', '0', ...flags, '--cost', '0.5+0.125'], io);
    await io.written('Stop it with Ctrl-C.');
    const at = desk({ VOICE_API_URL: io.out().trim(), VOICE_API_KEY: 'demo' });
    at.write('leads.csv', `phone\n${[1, 2, 3, 4, 5].map(aPhone).join('\n')}\n`);
    const run = ['run', 'leads.csv', '--agent', 'ag_demo', '--set', 'polling.floor=20ms'];
    expect((await at.run(run)).code).toBe(0);
    const { out } = await at.run(['export', 'leads', '-o', '-', '--format', 'jsonl']);
    expect(out).toContain('"call_cost":0.625');
    io.signal();
    expect(await ended).toBe(0);
  });

  it('tells a receiver of calls, with a secret that it made up or was given', async () => {
    const hook = ['--webhook-url', 'http://127.0.0.1:9/hook'];
    for (const given of [undefined, `whsec_${Buffer.alloc(24).toString('base64')}`]) {
      const io = fakeIo({ cwd: tempFolder() });
      const flags = [...hook, ...(given === undefined ? [] : ['--webhook-secret', given])];
      const ended = main(['simulate', '--port', '0', ...flags], io);
      await io.written('signed with whsec_');
      expect(io.err()).toContain(
        `Events go to http://127.0.0.1:9/hook, signed with ${given ?? 'whsec_'}`,
      );
      io.signal();
      expect(await ended).toBe(0);
    }
  });
});
