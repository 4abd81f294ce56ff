import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ProfileChoices, Services } from '../../../src/views/services.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { simulatedService, KEY } from '../../helpers/services/simulated-service.ts';
import { desk, type Desk } from '../../helpers/callsheet.ts';

const AT = '/api/v1/services';
const COMMENTED = '# ours\nother: # the old one\n  url: https://voice.example\n  keyEnv: OTHER_KEY';

let here: Desk;
let console: TestConsole;
let url: string;
beforeEach(async () => {
  here = desk();
  mkdirSync(here.path('campaigns'));
  console = await startTestConsole({ folder: here.cwd });
  onTestFinished(() => console.close());
  ({ url } = await simulatedService());
});

const add = (body: Record<string, unknown>) =>
  console.ask(
    'POST',
    AT,
    { profile: 'voice-agent', name: 'main', key: KEY, url, ...body },
    { role: 'admin' },
  );
const file = (name: string) => join(here.cwd, 'campaigns', name);
const read = (name: string) => readFileSync(file(name), 'utf8');
const modeOf = (name: string) => statSync(file(name)).mode & 0o777;
/** Everything that an answer or a refusal could have changed. */
const written = () => ['services.yaml', 'main.key'].filter((name) => existsSync(file(name)));

describe('a service that an admin adds', () => {
  it('is asked, named in the services file below what is there, and its key lies in a file for one user', async () => {
    writeFileSync(file('services.yaml'), COMMENTED);
    chmodSync(file('services.yaml'), 0o640);
    const answer = await add({ from: ' +12125550199 ' });
    expect(answer.status).toBe(201);
    const text = await answer.text();
    expect(text).toContain('It takes the key, and has 1 agent.');
    expect(text).not.toContain(KEY);
    expect(read('services.yaml')).toBe(
      `${COMMENTED}\n\nmain:\n  url: ${url}\n  profile: voice-agent\n  keyFile: main.key\n  from: "+12125550199"\n`,
    );
    expect(modeOf('services.yaml')).toBe(0o640);
    expect([read('main.key'), modeOf('main.key')]).toEqual([`${KEY}\n`, 0o600]);
    const { items } = await console.json<Services>('GET', AT);
    expect(items.map(({ name, key }) => [name, key])).toEqual([
      ...[
        ['simulated', null],
        ['other', 'missing'],
        ['main', 'present'],
      ],
    ]);
    expect(await console.json('GET', `${AT}/main/agents`)).toMatchObject({ complete: true });
    expect((await here.run(['doctor', '--service', 'main'])).out).toContain('the key is accepted');
  });

  it('comes from a provider: its address is named in the file, with the ids that its profile needs', async () => {
    const { items } = await console.json<ProfileChoices>(
      'GET',
      '/api/v1/profiles',
      undefined,
      'admin',
    );
    expect(items.find(({ name }) => name === 'telnyx')).toEqual({
      ...{ name: 'telnyx', url: 'https://api.telnyx.com' },
      ...{ ids: ['application', 'account'], needsFrom: true },
    });
    expect(items.map(({ name }) => name)).not.toContain('reference');
    mkdirSync(file('profiles'));
    const own = readFileSync('campaigns/profiles/telnyx.yaml', 'utf8');
    writeFileSync(file('profiles/ours.yaml'), own.replace('https://api.telnyx.com', url));
    const ids = { application: 'app: 1', account: '7', other: 'x' };
    const missing = await add({
      url: undefined,
      profile: 'ours',
      ids: { account: '7' },
      from: '1',
    });
    expect([missing.status, await missing.json(), written()]).toMatchObject([
      ...[404, { code: 'SERVICE_ID_MISSING' }, []],
    ]);
    // The address answers by another profile: it may do so later.
    expect((await add({ url: undefined, profile: 'ours', ids, from: '1' })).status).toBe(201);
    expect(read('services.yaml')).toContain(
      `main:\n  url: ${url}\n  profile: ours\n  keyFile: main.key\n  from: "1"\n  ids:\n    application: "app: 1"\n    account: "7"\n`,
    );
  });

  it('is not written where it refuses the key, and is where it does not answer', async () => {
    const refused = await add({ key: 'another-key' });
    expect([refused.status, await refused.json()]).toMatchObject([
      ...[502, { code: 'SERVICE_KEY_REFUSED', hint: 'Give a key that the service accepts.' }],
    ]);
    expect(written()).toEqual([]);
    const answer = await add({ url: 'http://127.0.0.1:9' });
    expect(answer.status).toBe(201);
    expect(await answer.text()).toContain('It could not be asked: ');
    expect(written()).toEqual(['services.yaml', 'main.key']);
  });

  it('is for admins alone, and so is its key', async () => {
    for (const role of ['viewer', 'operator'] as const)
      for (const [method, path] of [
        ['POST', AT],
        ['PUT', `${AT}/simulated/key`],
        ['GET', '/api/v1/profiles'],
      ] as const) {
        const body = method === 'GET' ? undefined : { key: KEY };
        expect((await console.ask(method, path, body, { role })).status).toBe(403);
      }
  });

  it.each([
    ['a name that is a path', { name: '../x' }, 'name "../x" is not a service name'],
    ['a name of two lines', { name: 'a\nb' }, 'is not a service name'],
    ['the embedded one', { name: 'simulated' }, 'already'],
    ['the receivers of notices', { name: 'notify' }, 'already'],
    [
      'plain http elsewhere',
      { url: 'http://voice.example' },
      'url "http://voice.example" is not https',
    ],
    ['a machine in the cloud that knows keys', { url: 'http://169.254.169.254' }, 'is not https'],
    ['a file', { url: 'file:///etc/passwd' }, 'is not an address'],
    ['a password in it', { url: 'https://a:b-c-d@voice.example' }, 'holds a user or password'],
    ['a profile that is a path', { profile: '/etc/passwd' }, 'profile "/etc/passwd" is not one of'],
    ['one of a folder above', { profile: '../profiles/vapi' }, 'is not one of'],
    ['a profile without an address', { url: undefined }, 'url "" is not an address'],
    ['a key of two lines', { key: 'key-4711\nX: y' }, 'key "..." has a space'],
    ['a key with blanks', { key: 'key-4711 and' }, 'key "..." has a space'],
    ['an empty key', { key: ' ' }, '"key": Too small'],
    ['no texts', { key: { $gt: '' } }, '"key": Invalid input'],
    ['a long one', { key: 'key-4711'.repeat(1_000) }, '"key": Too big'],
  ])('is refused with %s, and nothing is written or repeated', async (_what, given, detail) => {
    const answer = await add(given);
    const text = await answer.text();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect((JSON.parse(text) as { detail: string }).detail).toContain(detail);
    expect(text).not.toMatch(/key-4711|b-c-d|--/);
    expect(written()).toEqual([]);
  });

  it('replaces neither a service nor a file, and leaves a file that it cannot add to as it was', async () => {
    writeFileSync(file('main.key'), 'of somebody else\n');
    expect((await add({})).status).toBe(409);
    expect(read('main.key')).toBe('of somebody else\n');
    expect((await add({ name: 'second' })).status).toBe(201);
    const before = read('services.yaml');
    const again = await add({ name: 'second', url: 'http://127.0.0.1:9' });
    expect([again.status, read('services.yaml')]).toEqual([409, before]);
    writeFileSync(file('services.yaml'), '{ other: { url: https://voice.example } }\n');
    expect((await add({ name: 'third' })).status).toBe(422);
    expect(read('services.yaml')).toBe('{ other: { url: https://voice.example } }\n');
    expect(existsSync(file('third.key'))).toBe(false);
  });

  it('leaves nothing behind a link that leads to no file yet, where it cannot be added', async () => {
    symlinkSync(join(here.cwd, 'kept-elsewhere'), file('main.key'));
    writeFileSync(file('services.yaml'), '{ other: { url: https://voice.example } }\n');
    expect((await add({})).status).toBe(422);
    expect(existsSync(join(here.cwd, 'kept-elsewhere'))).toBe(false);
    expect(readlinkSync(file('main.key'))).toBe(join(here.cwd, 'kept-elsewhere'));
  });

  it('does not lose another one that is added at the same moment', async () => {
    const all = await Promise.all(['one', 'two', 'one'].map((name) => add({ name })));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 409]);
    const { items } = await console.json<Services>('GET', AT);
    expect(items.map(({ name }) => name)).toEqual(['simulated', 'one', 'two']);
  });
});

describe('another key for a service', () => {
  const change = (name: string, key: string) =>
    console.ask('PUT', `${AT}/${name}/key`, { key }, { role: 'admin' });

  it('takes the place of the old one, where the service takes it', async () => {
    await add({});
    writeFileSync(file('main.key'), 'an-old-key\n');
    chmodSync(file('main.key'), 0o644);
    expect((await change('main', 'a-wrong-key')).status).toBe(502);
    expect(read('main.key')).toBe('an-old-key\n');
    expect(await (await change('main', KEY)).text()).toContain('It takes the key');
    expect([read('main.key'), modeOf('main.key')]).toEqual([`${KEY}\n`, 0o600]);
  });

  it('is not put into a variable, nor into the file of two services', async () => {
    const two = `{ url: '${url}', keyFile: both.key }\n`;
    writeFileSync(file('services.yaml'), `${COMMENTED}\none: ${two}two: ${two}`);
    writeFileSync(file('both.key'), 'an-old-key\n');
    for (const name of ['other', 'one', 'simulated'])
      expect(await (await change(name, KEY)).json()).toMatchObject({ code: 'SETTING_NOT_HERE' });
    expect(read('both.key')).toBe('an-old-key\n');
  });
});
