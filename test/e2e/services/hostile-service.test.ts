import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import {
  hostileService,
  plain,
  type HostileAnswer,
  type HostileAsked,
  type Malice,
} from '../../helpers/services/hostile-service.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { until } from '../../helpers/until.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const KEY = 'sk-live/4f9a2b+d8c7e6';
const PHONES = Array.from({ length: 6 }, (_, i) => `+1212555010${i}`);
const PROFILE = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');

interface Given {
  profile?: string;
  key?: string;
  /** How long an answer may take: short, since the service of these tests never ends any. */
  answerWithin?: string;
}

function aDesk(url: string, given: Given = {}): { at: Desk; run: string[]; flags: string[] } {
  const { profile = PROFILE, key = KEY, answerWithin = '150ms' } = given;
  const at = desk({ VOICE_API_KEY: key });
  at.write('leads.csv', `name,phone\n${PHONES.map((phone, i) => `P${i},${phone}`).join('\n')}\n`);
  at.write('hostile.yaml', `${profile}\nlimits: { answerWithin: ${answerWithin} }\n`);
  const flags = ['--service-url', url, '--profile', './hostile.yaml'];
  const settings = [
    '--set',
    'polling.floor=20ms',
    '--set',
    'polling.ceiling=50ms',
    '--concurrency',
    '10',
  ];
  const run = ['run', 'leads.csv', '--agent', 'ag_1', ...flags, ...settings, '-o', 'out.csv'];
  return { at, run, flags };
}

const twice = (phones: readonly string[]) =>
  phones.filter((phone, index) => phones.indexOf(phone) !== index);

describe('a service whose answers never end', () => {
  it('and whose reads do that now and then, behind a proxy that says 100 Continue, holds nobody up: all are called, and all is read', async () => {
    const malices: Malice[] = ['drips', 'drips its head', 'hangs', 'cuts short'];
    const seen = new Set<string>();
    const service = await hostileService((asked) => {
      const isFirst = asked.callId !== undefined && !seen.has(asked.callId);
      seen.add(asked.callId ?? '');
      const malice = isFirst ? malices[seen.size % 4] : undefined;
      return { ...plain(asked), malice: malice ?? 'continues' };
    });
    const { at, run } = aDesk(service.url);
    const { code, err } = await at.run(run);
    expect([code, err]).toEqual([0, expect.stringContaining('Every lead is final.')]);
    expect(service.dialled().toSorted()).toEqual(PHONES);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(PHONES.map(() => 'answered'));
  });

  it('and whose reads always drip is left at once by the second Ctrl-C, and what is open is told', async () => {
    const service = await hostileService(readsThatDrip);
    const { at, run } = aDesk(service.url, { answerWithin: '1m' });
    const running = spawnCallsheet(at, [...run, '--limit', '2']);
    await until(() => service.asked.some(({ operation }) => operation === 'analytics'));
    running.kill('SIGINT');
    await running.written('Stopping: no new call is started');
    running.kill('SIGINT');
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([130, expect.stringMatching(/brings in \d open\s+calls?\./)]);
    expect(twice(service.dialled())).toEqual([]);
  });

  it('and whose reads always drip is left a minute after the first Ctrl-C, whatever is being read', async () => {
    const service = await hostileService(readsThatDrip);
    const { at, run } = aDesk(service.url, { answerWithin: '1m' });
    const { io, ended } = at.begin([...run, '--limit', '1'], { clock: hastyClock(60) });
    await until(() => service.asked.some(({ operation }) => operation === 'analytics'));
    io.signal();
    const { code, err } = await ended;
    expect([code, err]).toEqual([130, expect.stringContaining('1 in progress')]);
  });

  it('and whose dials do that, with whatever status, has nobody called twice, and says whom it may have called', async () => {
    const ways: [status: number, malice: Malice][] = [
      [429, 'drips'],
      [401, 'cuts short'],
      [400, 'drips'],
      [200, 'hangs'],
      [429, 'drips its head'],
      [200, 'drips'],
    ];
    const service = await hostileService((asked) => {
      const [status, malice] = ways[asked.nth % ways.length] ?? [200, 'hangs'];
      return asked.operation === 'dial' ? { ...plain(asked), status, malice } : plain(asked);
    });
    const { at, run } = aDesk(service.url, { answerWithin: '8s' });
    const hasty = { clock: hastyClock(40) };
    // A run tries one more person, as long as the service has never answered as it should.
    for (let runs = 0; runs < ways.length; runs++) {
      expect((await at.run(run, hasty)).code).not.toBe(0);
    }
    service.behave(plain);
    await at.run(run, hasty);
    expect(service.dialled().toSorted()).toEqual(PHONES);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows.map((row) => row['call_state'])).toEqual(PHONES.map(() => 'calling'));
    const { out } = await at.run(['status', 'leads', '--json']);
    expect(JSON.parse(out)).toMatchObject({ waiting: 0, doubts: PHONES.length });
  });

  it('and whose dripping proxy stands before the webhooks is told by serve --test-webhook', async () => {
    const service = await hostileService((asked) => ({ ...plain(asked), malice: 'drips' }));
    const { at, flags } = aDesk(service.url);
    const test = ['serve', '--test-webhook', '--port', '0', '--db', 'a.db', ...flags];
    // The limit of an answer, too.
    const after: Clock['after'] = (ms, work) => systemClock.after(ms / 40, work);
    const clock = { ...hastyClock(40), after };
    const { code, err } = await at.run([...test, '--public-url', service.url], { clock });
    expect(code).toBe(1);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('was not here in full within 10 s');
  });

  it('is told by doctor, agents list and check within their limits', async () => {
    const service = await hostileService((asked) => ({ ...plain(asked), malice: 'drips' }));
    const { at, flags } = aDesk(service.url, { answerWithin: '4s' });
    const commands = [['doctor'], ['agents', 'list'], ['check', 'leads.csv', '--agent', 'ag_1']];
    const given = { clock: hastyClock(40) };
    const all = commands.map((command) => at.run([...command, ...flags], given));
    for (const { out, err } of await Promise.all(all)) {
      const said = (out + err).replaceAll(/\s+/g, ' ');
      expect(said).toContain('the answer was not here in full within 4 s');
    }
  });
});

const readsThatDrip = (asked: HostileAsked): HostileAnswer => ({
  ...plain(asked),
  malice: asked.operation === 'analytics' ? 'drips' : 'answers',
});

it('a service that gives every dial the same call id has nobody called twice, and the campaign ends', async () => {
  const service = await hostileService((asked) =>
    asked.operation === 'dial' ? { body: { call_id: 'call-1' } } : plain(asked),
  );
  const { at, run } = aDesk(service.url);
  // Answers about that call are nobody's for sure: they are read again until then.
  const once = [...run, '--set', 'polling.deadline=1s'];
  for (let runs = 0; runs < 2; runs++) await at.run(once);
  expect(twice(service.dialled())).toEqual([]);
  expect(rowsOf(at.read('out.csv'))).toHaveLength(PHONES.length);
});

describe('a service that sends the key back', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const escaped = (text: string) =>
    text.replace(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const BASIC = PROFILE.replace(/^auth:.*(\n {2}.*)*/m, 'auth: { basic: true }');

  it.each([
    ['Bearer', PROFILE, KEY, [KEY]],
    ['Basic', BASIC, `AC0123456789:${KEY}`, [KEY, `AC0123456789:${KEY}`]],
  ])(
    'in any form, wherever it can (%s), has it nowhere: not on screen, in files, logs or the database',
    async (_scheme, profile, key, secrets) => {
      const forms = secrets.flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        base64(secret),
        base64(`xx${secret}`),
        Buffer.from(secret).toString('hex'),
      ]);
      const echo = { echo: forms.join(' '), header: `Basic ${base64(key)}`, [KEY]: 1 };
      const service = await hostileService((asked) => {
        const { body } = plain(asked);
        const told = { ...(body as object), ...echo, metadata: echo, summary: forms.join(', ') };
        if (asked.operation === 'agents') {
          return { body: { data: [{ id: 'ag_1', name: forms[0], prompt: echo }] } };
        }
        if (asked.operation === 'dial' && asked.nth === 3) return { status: 422, body: echo };
        const said = JSON.stringify({ ...told, transcript: `user: ${forms.join(' ')}` });
        // The last of the forms of a text: every sign of it as a code.
        return { body: said.replace(`"${secrets[0] ?? ''} `, `"${escaped(secrets[0] ?? '')} `) };
      });
      const { at, run, flags } = aDesk(service.url, { profile, key });
      const ran = await at.run([...run, '--log-level', 'debug']);
      const said = [ran.out, ran.err];
      for (const argv of [
        ['explain', '--calls', 'leads', PHONES[0] ?? ''],
        ['explain', '--calls', 'leads', PHONES[3] ?? ''],
        ['export', 'leads', '--format', 'jsonl', '-o', 'out.jsonl'],
        ['agents', 'show', 'ag_1', ...flags],
        ['agents', 'list', ...flags],
        ['doctor', ...flags],
      ]) {
        const { out, err } = await at.run(argv);
        said.push(out, err);
      }
      expect(service.dialled().length).toBeGreaterThan(3);
      expect(at.read('out.jsonl')).toContain('[key]');
      const all = [...said, ...filesIn(at.cwd)].join('\n');
      expect(all.length).toBeGreaterThan(10_000);
      for (const form of [...forms, base64(key), escaped(KEY)]) expect(all).not.toContain(form);
    },
  );
});

/** Every file that was written, byte by byte: databases, journals and results. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}
