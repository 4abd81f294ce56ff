import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import type { Io } from '../../../../src/cli/io.ts';

const TERMINAL = { stdinIsTty: true, stderrIsTty: true, stdoutIsTty: true, columns: 500 };
const SCREEN = { DISPLAY: ':0' };

/** Begins a console on any free port; `stop` ends it as Ctrl-C does, at any moment from the first word on. */
async function running(at: Desk, argv: string[] = [], given: Partial<Io> = {}) {
  const { io, ended } = at.begin(['console', '--port', '0', ...argv], given);
  await io.written('http://127.0.0.1:');
  const stop = () => {
    io.signal();
    return ended;
  };
  return { io, stop, address: io.out().trim() };
}

const opened = (address: string) => fetch(address, { redirect: 'manual' });
const addAnn = (at: Desk) =>
  at.run(['users', 'add', 'ann', '--role', 'admin'], {
    stdin: Readable.from(['four fictional words here\n']),
  });

describe('console', () => {
  it('prints a link that lets one person in, and alone on the standard output', async () => {
    const at = desk();
    const { io, stop, address } = await running(at);
    await io.written('until Ctrl-C');
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/link\/[\w-]{43}$/);
    expect(io.err()).toMatch(
      /^The console is at http:\/\/127\.0\.0\.1:\d+; open this link in a browser\. It lets one person in, once, within 5 minutes; `npx callsheet console --link` prints another\.\nWhat is started in it is called by this process: it runs until Ctrl-C\.\n$/,
    );
    expect((await opened(address)).status).toBe(303);
    expect((await opened(address)).status).toBe(401);
    expect((await stop()).code).toBe(0);
  });

  it('prints another link of the console that runs, with --link', async () => {
    const at = desk();
    const { stop, address } = await running(at);
    await opened(address);
    const { code, out } = await at.run(['console', '--link']);
    expect(code).toBe(0);
    expect((await opened(out.trim())).status).toBe(303);
    const json = await at.run(['console', '--link', '--json']);
    const { url, link, openapi } = JSON.parse(json.out) as Record<string, string>;
    expect([link?.startsWith(`${url ?? ''}/link/`), openapi]).toEqual([
      true,
      `${url ?? ''}/api/v1/openapi.json`,
    ]);
    await stop();
    const none = await at.run(['console', '--link']);
    expect([none.code, none.out]).toEqual([2, '']);
    expect(none.err).toContain('No console runs at this database');
  });

  it('prints its address where there are users, and says that names are asked for', async () => {
    const at = desk();
    await addAnn(at);
    const { io, stop, address } = await running(at);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(io.err()).toContain(`The console is at ${address}; it asks for name and password.`);
    const again = await at.run(['console', '--link', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ url: address, link: null });
    await stop();
  });

  it('started a second time says how to get into the one that runs', async () => {
    const at = desk();
    const { stop, address } = await running(at);
    const { origin, port } = new URL(address);
    const second = await at.run(['console', '--port', port]);
    expect([second.code, second.out]).toEqual([2, '']);
    expect(second.err).toContain(`The console of this database runs already, at ${origin}.`);
    expect(second.err).toContain('next: `npx callsheet console --link`');
    const elsewhere = await desk().run(['console', '--port', port]);
    expect(elsewhere.err).toContain('next: give another one with --port');
    await stop();
  });

  it.each<[what: string, argv: string[], given: Partial<Io>, opens: boolean]>([
    ['on a terminal with a screen', [], { ...TERMINAL, env: SCREEN }, true],
    ['on a Mac', [], { ...TERMINAL, platform: 'darwin' }, true],
    ['with --no-open', ['--no-open'], { ...TERMINAL, env: SCREEN }, false],
    ['with --json', ['--json'], { ...TERMINAL, env: SCREEN }, false],
    ['off a terminal', [], { env: SCREEN }, false],
    ['without a screen', [], TERMINAL, false],
    ['in a build', [], { ...TERMINAL, env: { ...SCREEN, CI: 'true' } }, false],
    [
      'on a Mac over SSH',
      [],
      { ...TERMINAL, platform: 'darwin', env: { SSH_CONNECTION: '192.0.2.7 1 192.0.2.8 22' } },
      false,
    ],
  ])('opens in the browser, or does not: %s', async (_what, argv, given, opens) => {
    const shown: string[] = [];
    const openBrowser = (url: string) => {
      shown.push(url);
      return Promise.resolve();
    };
    const { io, stop, address } = await running(desk(), argv, { ...given, openBrowser });
    expect(shown).toEqual(opens ? [address] : []);
    expect(io.err().includes('opens in your browser')).toBe(opens);
    await stop();
  });

  it('goes on where the browser cannot be opened: the link is there', async () => {
    const { io, stop, address } = await running(desk(), [], { ...TERMINAL, env: SCREEN });
    expect(io.err()).toMatch(/opens in your browser; if it does not, open this link yourself\./);
    expect((await opened(address)).status).toBe(303);
    expect((await stop()).code).toBe(0);
  });

  it('keeps no link in its log file', async () => {
    const at = desk();
    const { stop } = await running(at, ['--log-file', 'console.log']);
    await stop();
    expect(at.read('console.log')).toContain('The console is at http://127.0.0.1:');
    expect(at.read('console.log')).not.toContain('/link/');
  });

  it('prints for programs where it is, with --json', async () => {
    const at = desk();
    const { io, stop } = await running(at, ['--json']);
    const { url, link, openapi } = JSON.parse(io.out()) as Record<string, string>;
    expect(Object.keys(JSON.parse(io.out()) as object)).toEqual(['url', 'link', 'openapi']);
    expect((await fetch(openapi ?? '')).status).toBe(200);
    expect(link).toContain(`${url ?? ''}/link/`);
    await stop();
  });

  it('listens for others with users and https alone', async () => {
    const at = desk();
    await addAnn(at);
    const { code, err } = await at.run(['console', '--host', '0.0.0.0', '--port', '0']);
    expect([code, err]).toEqual([2, expect.stringContaining('without https')]);
    expect(err).toContain('give --tls-cert and --tls-key, or --behind-proxy');
  });
});
