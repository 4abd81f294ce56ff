import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { PASSWORD } from '../../helpers/console.ts';
import { hostileService, plain } from '../../helpers/services/hostile-service.ts';

const KEY = 'key-of-the-service-4711';
/** Typed in a page; the service says it back in a refusal. */
const TYPED = 'key-that-was-typed-0815';
const LATER = 'other words in a row';

interface Said {
  status: number;
  cookie: string | undefined;
  text: string;
}

it('no token, cookie, password or key stands in an answer that was not asked for it, in the log, or in any file', async () => {
  const service = await hostileService(plain);
  const here = desk({ VOICE_API_KEY: KEY, VOICE_API_URL: service.url });
  here.write('spring.csv', 'name,phone\nAnn,+12125550101\n');
  here.write('services.yaml', `main: { url: '${service.url}' }\n`);
  const use = ['--services', 'services.yaml', '--db', 'data/callsheet.db'];
  const service_ = ['--service', 'main', '--agent', 'ag_1'];
  expect(await here.run(['import', 'spring', 'spring.csv', ...service_, ...use])).toMatchObject({
    code: 0,
  });
  const add = ['users', 'add', 'ann', '--role', 'admin', '--db', 'data/callsheet.db'];
  expect(await here.run(add, { stdin: Readable.from([`${PASSWORD}\n`]) })).toMatchObject({
    code: 0,
  });
  const made = await here.run(['tokens', 'add', 'crm', '--role', 'operator', ...use.slice(2)]);
  const token = made.out.trim();

  const { io, ended } = here.begin([
    ...['console', '--port', '0', '--json', '--log-file', 'console.log', '--log-level', 'debug'],
    ...use,
  ]);
  await io.written('"url"');
  const { url } = JSON.parse(io.out()) as { url: string };
  const answers: Said[] = [];
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Said> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const said = {
      status: answer.status,
      cookie: answer.headers.get('set-cookie')?.split(';')[0],
      text,
    };
    answers.push(said);
    return said;
  };
  const signIn = (password: string) =>
    ask('POST', '/api/v1/session', {}, { name: 'ann', password });

  await signIn('a guess that is wrong');
  const cookie = (await signIn(PASSWORD)).cookie ?? '';
  const [as, by] = [{ cookie }, { authorization: `Bearer ${token}` }];
  // The token that is made is told once, to whoever makes it.
  const { token: second } = JSON.parse(
    (await ask('POST', '/api/v1/tokens', as, { name: 'second', role: 'viewer' })).text,
  ) as { token: string };
  answers.pop();
  const secrets = [token, second, cookie.split('=')[1] ?? '', PASSWORD, LATER, KEY, TYPED];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);

  // Each in a place where it does not belong, or where it is refused.
  for (const secret of secrets) {
    await ask('GET', '/api/v1/campaigns', { authorization: `Bearer ${secret}x` });
    await ask('GET', '/api/v1/campaigns', { cookie: `${cookie.split('=')[0] ?? ''}=${secret}x` });
    await ask('GET', `/link/${encodeURIComponent(secret)}`, {});
    await ask('POST', '/api/v1/session', { origin: 'https://elsewhere.example' }, { secret });
    await ask('POST', '/api/v1/campaigns', by, { uploads: secret });
    await ask('POST', '/api/v1/services', by, { name: 'second', key: secret });
    await ask('POST', '/api/v1/services', as, { name: 'second', key: { secret } });
    await ask('PUT', '/api/v1/services/main/key', as, { key: `${secret} x` });
  }
  await ask('PUT', '/api/v1/users/ann/password', by, { password: LATER });
  await ask('PUT', '/api/v1/users/ann/password', as, { password: 'short' });
  await ask('POST', '/api/v1/users', as, { name: 'ben', role: 'viewer', password: LATER });
  await ask('POST', '/api/v1/users', as, { name: 'ben', role: 'viewer', password: LATER });
  for (const path of ['users', 'tokens', 'services', 'services/main/agents', 'session', 'jobs'])
    expect((await ask('GET', `/api/v1/${path}`, as)).status).toBe(200);
  const check = JSON.parse((await ask('POST', '/api/v1/services/main/check', as, {})).text) as {
    id: string;
  };
  for (;;) {
    const { text } = await ask('GET', `/api/v1/jobs/${check.id}`, as);
    if (!text.includes('"endedAt":null')) break;
  }
  const added = { name: 'second', profile: 'voice-agent', url: service.url, key: TYPED };
  service.behave((asked) => ({ status: 401, body: { error: `bad: ${asked.head}` } }));
  expect((await ask('POST', '/api/v1/services', as, added)).status).toBe(502);
  service.behave(plain);
  expect((await ask('POST', '/api/v1/services', as, added)).status).toBe(201);
  expect((await ask('PUT', '/api/v1/services/second/key', as, { key: TYPED })).status).toBe(200);
  expect((await ask('GET', '/api/v1/services', as)).text).toContain('"second"');
  expect(here.read('second.key')).toBe(`${TYPED}\n`);
  expect(here.read('services.yaml')).not.toContain(TYPED);
  await ask('POST', '/api/v1/campaigns/spring/pause', by, {});
  await ask('GET', '/api/v1/campaigns/spring', by);
  const log = await ask('GET', '/api/v1/log?limit=200', as);
  expect(log.text).toContain('user.added');
  expect(service.asked.some(({ head }) => head.includes(KEY))).toBe(true);
  io.signal();
  const end = await ended;
  expect(end.code).toBe(0);

  const files = readdirSync(here.cwd, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(log|db|db-wal|dials|csv|jsonl)$/.test(name),
  );
  expect(files).toEqual(expect.arrayContaining(['console.log', join('data', 'console.db')]));
  const places: [place: string, text: string][] = [
    ...answers.map(({ text }, n) => [`answer ${n}`, text] as [string, string]),
    ['stdout', end.out],
    ['stderr', end.err],
    ...files.map((name) => [name, readFileSync(here.path(name), 'latin1')] as [string, string]),
  ];
  const found = places.flatMap(([place, text]) =>
    secrets.flatMap((secret, n) =>
      text.includes(secret) ? [`secret ${n} in ${place}: ${text.slice(0, 200)}`] : [],
    ),
  );
  expect(found).toEqual([]);
});
