import { afterEach, describe, expect, it } from 'vitest';
import { addressesOf } from '../../../src/console/guards/identity.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { PASSWORD, startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { requestText, sendRaw } from '../../helpers/requests/raw-http.ts';

let console: TestConsole | undefined;
afterEach(async () => {
  await console?.close();
  console = undefined;
});

const refused = (of: TestConsole) =>
  of
    .json<{ items: unknown[] }>('GET', '/api/v1/log?text=refused', undefined, 'admin')
    .then(({ items }) => items);

describe('what is refused', () => {
  it('is told in the log with its address: another name, another site, another role', async () => {
    const here = (console = await startTestConsole({ users: { ann: 'admin' } }));
    const { url, tokens } = here;
    const login = { name: 'ann', password: PASSWORD };
    const from = { role: null, headers: { origin: url } } as const;
    const { headers: set } = await here.ask('POST', '/api/v1/session', login, from);
    const cookie = set.get('set-cookie')?.split(';')[0] ?? '';
    const ask = (headers: Record<string, string>) =>
      sendRaw(url, requestText(url, 'POST', '/api/v1/tokens', headers, '{}'));
    await ask({ host: 'rebound.example', cookie });
    await ask({ origin: 'https://elsewhere.example', cookie });
    await ask({ authorization: `Bearer ${tokens.viewer ?? ''}` });
    const common = { what: 'POST /api/v1/tokens', detail: { from: '127.0.0.1' } };
    expect(await refused(here)).toMatchObject([
      { ...common, who: 'token viewer', outcome: 'refused (403)' },
      { ...common, who: 'ann', outcome: 'refused (403)' },
      { ...common, who: 'nobody known', outcome: 'refused (421)' },
    ]);
  });

  it('again and again is told once, and then how often', async () => {
    const clock = new VirtualClock();
    const here = (console = await startTestConsole({ io: { clock } }));
    for (let n = 0; n < 50; n++) await here.ask('POST', '/api/v1/users', {}, { role: 'viewer' });
    expect(await refused(here)).toHaveLength(1);
    await clock.advance(60_000);
    expect(await refused(here)).toMatchObject([
      { who: 'token viewer', detail: { from: '127.0.0.1', times: 49 } },
      { who: 'token viewer', detail: { from: '127.0.0.1' } },
    ]);
  });
});

describe('names of the console', () => {
  it('go without the port that browsers leave out', () => {
    const of = (port: number, scheme: 'http' | 'https') =>
      addressesOf({ host: '192.0.2.7', port }, scheme, ['calls.example.com']);
    expect([...of(443, 'https').hosts]).toContain('192.0.2.7');
    expect([...of(443, 'https').origins]).toContain('https://192.0.2.7');
    expect([...of(4281, 'https').hosts]).not.toContain('192.0.2.7');
    expect([...of(80, 'https').hosts]).not.toContain('localhost');
  });

  it('are the same in capital letters, as browsers send them in small ones', () => {
    const { hosts, origins } = addressesOf({ host: 'Desk.Example', port: 4281 }, 'http', []);
    expect([...hosts]).toContain('desk.example:4281');
    expect([...origins]).toContain('http://desk.example:4281');
  });
});
