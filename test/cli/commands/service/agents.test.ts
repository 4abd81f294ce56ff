import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { startProvider } from '../../../helpers/providers/start.ts';
import { simulatedService } from '../../../helpers/services/simulated-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const PROMPT = 'You remind people of their renewal.\nBe kind.';
const VOICE = { id: 'alto', speed: 1.1 };
const RENEWALS = { id: 'ag_1', name: 'Renewals', systemPrompt: PROMPT, voice: VOICE };

/** The words of a command as a shell reads them. */
const shellWords = (command: string) =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

const aDesk = async (agents: unknown) => {
  const service = await voiceServer({ agents: () => ({ body: agents }) });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('prompt.txt', PROMPT);
  return { service, at };
};

describe('agents list', () => {
  it('reads every page where a service tells 20 a page and numbers none; the last can call', async () => {
    const provider = await startProvider('bland', { agentCount: 41 });
    onTestFinished(() => provider.close());
    const at = desk({ VOICE_API_URL: provider.url, VOICE_API_KEY: provider.key });
    const { out } = await at.run(['agents', 'list', '--profile', 'bland', '--json']);
    const { items, complete } = JSON.parse(out) as { items: { id: string }[]; complete: boolean };
    const ids = items.map(({ id }) => id);
    expect([new Set(ids).size, complete]).toEqual([41, true]);

    const last = ids.at(-1) ?? '';
    at.write('leads.csv', `name,phone\nAl,${aPhone(1)}\n`);
    const run = ['run', 'leads.csv', '--profile', 'bland', '--agent', last];
    expect((await at.run([...run, '--set', 'polling.floor=20ms'])).code).toBe(0);
    expect(provider.ledger()).toMatchObject([{ phone: aPhone(1), agentId: last }]);
  });

  it('needs a key that the service knows', async () => {
    const { url } = await simulatedService({ keys: ['one'] });
    const argv = ['agents', 'list', '--service-url', url];
    const missing = await desk().run(argv);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain('VOICE_API_KEY is empty or not set');
    const wrong = await desk({ VOICE_API_KEY: 'other-key' }).run(argv);
    expect(wrong).toMatchObject({ code: 4, out: '' });
    expect(wrong.err).not.toContain('other-key');
  });
});

describe('an agent that a service does not have', () => {
  it.each(['voice-agent', 'bland', './own.yaml'])(
    'leads to a command that lists them without anything in the environment but the key: %s',
    async (profile) => {
      const provider = await startProvider('bland', {});
      onTestFinished(() => provider.close());
      const service =
        profile === 'voice-agent' ? await simulatedService({ keys: ['k'] }) : provider;
      const at = desk({ VOICE_API_KEY: profile === 'voice-agent' ? 'k' : provider.key });
      at.write('leads.csv', `name,phone\nAl,${aPhone(1)}\n`);
      at.write('own.yaml', readFileSync('campaigns/profiles/bland.yaml', 'utf8'));
      at.write('key.txt', profile === 'voice-agent' ? 'k' : provider.key);
      const to = ['--service-url', service.url, '--profile', profile];
      const listed = await at.run(['agents', 'list', ...to]);
      for (const argv of [
        ['run', 'leads.csv'],
        ['check', 'leads.csv'],
        ['agents', 'show', 'ag_9'],
      ]) {
        const agent = argv[0] === 'agents' ? [] : ['--agent', 'ag_9'];
        const { err } = await at.run([...argv, ...agent, ...to, '--key-file', 'key.txt']);
        const [, next = ''] = /npx callsheet (agents list [^`]+)`/.exec(err) ?? [];
        const { code, out } = await at.run(next.split(' '));
        expect({ code, out }).toEqual({ code: 0, out: listed.out });
      }
    },
  );
});

it.each([
  ['run', 'leads.csv'],
  ['call', aPhone(1)],
])('an agent that is not given leads to a command that lists them: %s', async (...argv) => {
  const provider = await startProvider('bland', {});
  onTestFinished(() => provider.close());
  const at = desk({ VOICE_API_KEY: provider.key });
  at.write('leads.csv', `name,phone\nAl,${aPhone(1)}\n`);
  at.write("Al's (own).yaml", readFileSync('campaigns/profiles/bland.yaml', 'utf8'));
  const to = ['--service-url', provider.url, '--profile', "./Al's (own).yaml"];
  const { code, err } = await at.run([...argv, ...to]);
  expect([code, err]).toEqual([2, expect.stringContaining('No agent')]);
  const [, next = ''] = /npx callsheet (agents list [^`]+)`/.exec(err) ?? [];
  const listed = await at.run(['agents', 'list', ...to]);
  expect(await at.run(shellWords(next))).toEqual(listed);
});

it.each([
  [['list'], { data: [] }, 'has no agents', 0],
  [['show', 'ag_9'], { data: [] }, 'it has none', 2],
])('a service without agents leads to a command that creates one: %s', async (...given) => {
  const [argv, body, said, code] = given;
  const service = await voiceServer({ agents: () => ({ body }) });
  const at = desk();
  at.write('my key.txt', 'k');
  at.write('FILE', PROMPT);
  const to = ['--service-url', service.url, '--key-file', 'my key.txt'];
  const ended = await at.run(['agents', ...argv, ...to]);
  expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(said)]);
  service.behave({ agents: () => ({ body: { id: 'ag_7' } }) });
  const [, next = ''] = /npx callsheet (agents create [^`]+)`/.exec(ended.err) ?? [];
  expect(await at.run(shellWords(next))).toMatchObject({ code: 0, out: 'ag_7\n' });
});

it.each([500, 200])(
  'after HTTP %i without an agent the next step lists those that may exist',
  async (status) => {
    const service = await voiceServer({ agents: () => ({ status, body: {} }) });
    const at = desk({ VOICE_API_KEY: 'k' });
    at.write('prompt.txt', PROMPT);
    const asked = ['--name', 'Renewals', '--system-prompt-file', 'prompt.txt'];
    const { code, err } = await at.run([
      ...['agents', 'create', ...asked],
      ...['--service-url', service.url],
    ]);
    expect([code, err]).toEqual([1, expect.stringContaining('may exist')]);
    service.behave({});
    const [, next = ''] = /npx callsheet (agents list [^`]+)`/.exec(err) ?? [];
    expect((await at.run(shellWords(next))).out).toContain('ag_1');
  },
);

describe('agents show', () => {
  it('prints what the service says about one agent, its prompt last, or all of it as JSON', async () => {
    const { at, service } = await aDesk({ data: [{ id: 'ag_0' }, RENEWALS] });
    const { code, out } = await at.run(['agents', 'show', 'ag_1']);
    expect(out).toBe(`id: ag_1\nname: Renewals\nvoice: {"id":"alto","speed":1.1}\n\n${PROMPT}\n`);
    expect(code).toBe(0);
    const json = await at.run(['agents', 'show', 'ag_1', '--json']);
    expect(JSON.parse(json.out)).toEqual({ service: service.url, ...RENEWALS, answer: RENEWALS });
  });

  it.each([
    [{ data: [RENEWALS] }, 'has no agent "ag_9"; it has ag_1.'],
    [{ data: [RENEWALS], has_more: true }, 'Not every page or entry could be read'],
  ])('of an agent that is not in %j says what there is', async (agents, said) => {
    const { at } = await aDesk(agents);
    const { code, out, err } = await at.run(['agents', 'show', 'ag_9']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
  });
});

describe('agents create', () => {
  it('says what the service answered, with the voice as it was taken', async () => {
    const answer = { id: 'ag_7', name: 'Renewals', voice: { id: 'alto', speed: 1 }, tier: 'basic' };
    const { at, service } = await aDesk(answer);
    const argv = ['agents', 'create', '--name', 'Renewals', '--system-prompt-file', 'prompt.txt'];

    const plain = await at.run([...argv, '--voice', JSON.stringify(VOICE)]);
    expect(plain.out).toBe('ag_7\n');
    expect(plain.err).toContain('  voice: {"id":"alto","speed":1}\n  tier: basic\n');
    const sent = { name: 'Renewals', systemPrompt: PROMPT };
    expect(service.asked[0]?.body).toEqual({ ...sent, voice: VOICE });
    const json = JSON.parse((await at.run([...argv, '--json'])).out) as unknown;
    const { id, voice } = answer;
    expect(json).toEqual({ service: service.url, id, ...sent, voice, answer });
  });

  it('makes one that the embedded service still has the next time', async () => {
    const { at } = await aDesk({});
    const asked = ['--service', 'simulated', '--name', 'Rehearsal', '--json'];
    const made = await at.run([
      ...['agents', 'create', ...asked],
      ...['--system-prompt-file', 'prompt.txt', '--voice', '{"language":"en-US"}'],
    ]);
    const { id, name } = JSON.parse(made.out) as { id: string; name: string };
    expect(name).toBe('Rehearsal');
    expect(made.err).toContain(`--agent ${id}`);
    const list = await at.run(['agents', 'list', '--service', 'simulated']);
    expect(list.out).toMatch(/^AGENT +NAME\n/);
    expect(list.out).toContain(`${id}  Rehearsal\n`);
  });

  it.each([
    [['no.txt'], '"no.txt" does not exist (ENOENT); looked for /'],
    [['empty.txt'], '"empty.txt" is empty'],
    [['latin1.txt'], '"latin1.txt" is not text in UTF-8'],
    [['prompt.txt', '--voice', '[1]'], '--voice "[1]" is not a JSON object'],
    [['prompt.txt', '--voice', '{'], '--voice "{" is not a JSON object'],
  ])('refuses a prompt or a voice that is none: %j', async (flags, message) => {
    const { at } = await aDesk({});
    at.write('empty.txt', ' \n');
    at.write('latin1.txt', Buffer.from([0x62, 0xe9, 0x62]));
    const argv = ['agents', 'create', '--name', 'x', '--system-prompt-file', ...flags];
    const { code, err } = await at.run(argv);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
