import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../../helpers/requests/api-operations.ts';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { openSocket, answerOf, requestText, sendRaw } from '../../helpers/requests/raw-http.ts';

let here: Desk;
let console: TestConsole;
beforeAll(async () => {
  here = desk({}, afterAll);
  here.write('spring.csv', 'name,phone\nAnn,+12125550101\n');
  here.write('secret.txt', 'a secret of this machine');
  const imported = await here.run(['import', 'spring', 'spring.csv', '--service', 'simulated']);
  expect(imported).toMatchObject({ code: 0 });
  console = await startTestConsole({ folder: here.cwd });
});
afterAll(async () => {
  await console.close();
});

const authorization = () => `Bearer ${console.tokens.admin ?? ''}`;
const ask = (method: string, path: string, body = '') => {
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: authorization(), ...type };
  return sendRaw(console.url, requestText(console.url, method, path, headers, body));
};

/** What stands in the place of an id or a name in an address. */
const TRICKS = [
  '..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '%2e%2e',
  '%2fetc%2fpasswd',
  '%252e%252e%252fetc',
  'secret.txt%00.csv',
  '%00',
  'x%0d%0aSet-Cookie:%20callsheet_session=x',
  'x%0d%0a%0d%0a%3Cscript%3E',
  '__proto__',
  'constructor',
  '%ff%fe',
  '%c0%ae%c0%ae%c0%af',
  "'%20OR%201=1--",
  '%F0%9F%92%A9',
  '1e9',
  '-1',
  '*',
  'a'.repeat(499),
];

describe('an id or a name in an address', () => {
  it('leads to no file, no header and no defect, on any route', async () => {
    const errors = console.world.err();
    const operations = (await operationsOf(console, '{}')).filter(({ path }) =>
      path.includes('{}'),
    );
    for (const [n, trick] of TRICKS.entries())
      // Each route meets every sixth trick, and each trick every sixth route.
      for (const { method, path: route } of operations.filter((_, at) => (at + n) % 6 === 0)) {
        const path = route.replaceAll('{}', trick);
        const answer = await ask(method, path, method === 'GET' ? '' : '{}');
        const { status, headers, body } = answer;
        // Work that is begun ends as a job, which says that there is no such campaign.
        const isFine = status === 202 || (status >= 400 && status < 500);
        expect({ method, path, status, isFine }).toEqual({ method, path, status, isFine: true });
        expect(headers['set-cookie']).toBeUndefined();
        expect(body).not.toContain('root:');
      }
    const { items } = await console.json<{ items: { id: string }[] }>('GET', '/api/v1/jobs');
    for (const { id } of items) expect((await console.jobEnd(id)).state).toBe('failed');
    expect(console.world.err()).toBe(errors);
  });

  it('is no step to another route or folder', async () => {
    const paths = [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '//secret.txt',
      '/./secret.txt',
      '/api/v1/../../secret.txt',
      '/api/v1/uploads/../session',
      '/api/v1//session',
      '/api/v1/session/',
      '/API/V1/SESSION',
      '/api/v1/session;x=1',
      '/api/v1/session%2f',
      '/api/v1/session%00',
      'http://elsewhere.example/api/v1/sessions',
      '*',
    ];
    for (const path of paths) {
      const { status, body } = await ask('GET', path);
      expect({ path, isThere: status < 400 }).toEqual({ path, isThere: false });
      expect(body).not.toContain('secret of this machine');
    }
  });

  it('is told apart by its bytes: no request is hidden in another one', async () => {
    const hidden = 'GET /api/v1/users HTTP/1.1\r\n';
    const { host } = new URL(console.url);
    const head = `POST /api/v1/campaigns HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization()}\r\nContent-Type: application/json\r\n`;
    for (const lengths of [
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      'Content-Length: 5\r\nContent-Length: 6\r\n',
      'Content-Length: +5\r\n',
      'Transfer-Encoding: xchunked\r\n',
      'Transfer-Encoding : chunked\r\n',
      'Content-Length: 5\r\n folded: x\r\n',
    ]) {
      const socket = openSocket(console.url);
      socket.write(`${head}${lengths}\r\n0\r\n\r\n${hidden}\r\n`);
      const { status } = await answerOf(socket);
      expect([lengths, status]).toEqual([lengths, 400]);
    }
  });
});

describe('a name that a person chose', () => {
  const shape = /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.~!*%-]+$/;

  it('of a campaign breaks no header of its files, and leads them nowhere else', async () => {
    const names = [
      'x"; filename="evil.html',
      "x'; filename*=UTF-8''evil.html",
      '..',
      '...',
      '~',
      'a;b,c=d',
      'sp\u00e9cial \u540d\u524d \u202egnp.exe',
      '%2e%2e%2f',
      '$(touch ran) `touch ran` %PATH%',
      'CON',
      ' x',
      '\u{1f4a9}'.repeat(20),
    ];
    let present = 'spring';
    for (const name of names) {
      const path = `/api/v1/campaigns/${encodeURIComponent(present)}`;
      const renamed = await console.ask('POST', `${path}/rename`, { name });
      if (renamed.status === 422) continue;
      expect([name, renamed.status]).toEqual([name, 200]);
      const { campaign } = (await renamed.json()) as { campaign: { name: string } };
      present = campaign.name;
      // A step in the address is for the browser; nothing behind it is reached.
      if (/^\.+$/.test(present)) {
        const store = await here.run(['set', present, 'name=dots']);
        expect(store.code).toBe(0);
        present = 'dots';
      }
      const at = `/api/v1/campaigns/${encodeURIComponent(present)}`;
      for (const file of ['results?format=csv', 'results?format=xlsx', 'captured-leads']) {
        const { status, headers } = await ask('GET', `${at}/${file}`);
        expect([name, status]).toEqual([name, 200]);
        expect(headers['content-disposition']).toMatch(shape);
      }
    }
    expect(here.has('ran')).toBe(false);
    await console.json('POST', `/api/v1/campaigns/${encodeURIComponent(present)}/rename`, {
      name: 'spring',
    });
  });

  it('of a file that is sent stays within the folder of uploads', async () => {
    const before = readdirSync(here.cwd).toSorted();
    const names = [
      '/etc/cron.d/x',
      '../../../x.csv',
      '..\\..\\x.csv',
      '.ssh/authorized_keys',
      '.bashrc',
      '-rf',
      'x\r\nSet-Cookie: a=b',
      'x\u0000.csv',
      'CON',
      'a'.repeat(999),
      '\u202e\u2066',
      '~root/x',
      '$(touch ran).csv',
    ];
    for (const name of names) {
      const path = `/api/v1/uploads?name=${encodeURIComponent(name)}`;
      const answer = await ask('PUT', path, 'phone\n');
      expect([name, answer.status]).toEqual([name, 201]);
      expect(answer.headers['set-cookie']).toBeUndefined();
      const { id } = JSON.parse(answer.body) as { id: string };
      const [kept = '', ...more] = readdirSync(join(here.cwd, 'data', 'uploads', id));
      expect(more).toEqual([]);
      expect(kept).toMatch(/^[^./\\-][^/\\]*$/);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(200);
    }
    expect(readdirSync(here.cwd).toSorted()).toEqual(before);
  });
});
