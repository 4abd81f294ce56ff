import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CAMPAIGN_KEYS } from '../../../../src/config/keys.ts';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import type { FakeIo } from '../../../helpers/fake-io.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { contentsOf } from '../../../helpers/files/folder-contents.ts';
import { leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const KEY = 'sk-fictional';

async function aFolder() {
  const service = await voiceServer();
  const at = desk();
  at.write('leads.csv', 'phone\n+12125550100\n');
  return { at, service };
}

/** All that is needed off a terminal. */
const flagsFor = (url: string) => [
  ...['init', '--service-url', url, '--key-file', 'main.key', '--agent', 'ag_1'],
  ...['--list', 'leads.csv', '--country', 'US', '--timezone', 'America/New_York'],
];

function withKey(at: Desk): void {
  at.write('main.key', `${KEY}\n`);
  chmodSync(at.path('main.key'), 0o600);
}

describe('init', () => {
  it('writes a service and a campaign that can be checked and run, and prints the next commands', async () => {
    const { at, service } = await aFolder();
    withKey(at);
    const { code, err } = await at.run(flagsFor(service.url));
    expect(code).toBe(0);
    expect(err).toContain('Campaign "leads" can be run; 1 of 1 row can be called.\n');
    expect(err).toContain(`
Next, calling nobody:
  npx callsheet check campaigns/leads.yaml
Then call the list; run it again and it goes on, calling nobody twice:
  npx callsheet run campaigns/leads.yaml
Every weekday at 18:00, with the list's new rows; until 21:00 it waits for people who are due later (crontab -e; the machine's time):
  0 18 * * 1-5  umask 077; cd ${at.cwd} && /usr/bin/node /srv/callsheet/dist/bin/callsheet.js run campaigns/leads.yaml --add --yes --wait 3h --quiet --log-file 'data/logs/night-{date}.log'
`);
    expect(at.read('campaigns/leads.yaml'))
      .toBe(`# yaml-language-server: $schema=./campaign.schema.json
name: leads
leads: ../leads.csv
service: main
agent: ag_1
country: US
timezone: America/New_York
`);
    expect((await at.run(['check', 'campaigns/leads.yaml'])).code).toBe(0);
    expect(
      (await at.run(['run', 'campaigns/leads.yaml', '--set', 'polling.floor=20ms'])).code,
    ).toBe(0);
    expect(service.dialled).toEqual(['+12125550100']);
  });

  it.each([false, true])('begins with the built-in service, on a terminal: %s', async (isAsked) => {
    const { at } = await aFolder();
    const flags = ['--service', 'simulated', '--list', 'leads.csv', '--country', 'US'];
    const terminal = isAsked ? { stdinIsTty: true, stderrIsTty: true } : {};
    const { io, ended } = at.begin(['init', ...(isAsked ? [] : flags)], terminal);
    if (isAsked)
      await answerAll(io, [
        ['[simulated]: ', ''],
        ['The first list', 'leads.csv'],
        ['Name of the campaign [leads]', ''],
        ['Your time zone', ''],
      ]);
    const { code, err } = await ended;
    expect([code, err]).toEqual([0, expect.stringContaining('1 of 1 row can be called.')]);
    expect(at.read('campaigns/leads.yaml')).toContain(
      `service: simulated\n${isAsked ? '' : 'country: US\n'}timezone`,
    );
    expect([at.has('campaigns/services.yaml'), at.has('data/callsheet.db')]).toEqual([
      false,
      false,
    ]);
    expect((await at.run(['run', 'campaigns/leads.yaml'])).code).toBe(0);
  });

  it('begins with a rehearsal that is as long as it says, at no hour of one person, and without webhooks', async () => {
    const at = desk();
    at.write('leads.csv', 'phone\n+442079460101\n+12125550100\n2125550101\n');
    await at.run(['init', '--service', 'simulated', '--list', 'leads.csv']);
    const check = await at.run(['check', 'campaigns/leads.yaml'], { columns: 400 });
    expect(check.out + check.err).toContain(
      'give its country (country: US in campaigns/leads.yaml), or',
    );
    expect(check.out + check.err).toContain('in a rehearsal a minute takes a second.\n');
    expect(check.out + check.err).not.toContain('any hour');
    expect(check.out + check.err).toContain('`npx callsheet run campaigns/leads.yaml` calls.\n');
    const run = await at.run(['run', 'campaigns/leads.yaml']);
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('captured leads')]);
    const over = await at.run(['check', 'leads'], { columns: 400 });
    expect(over.out + over.err).toContain('serve` calls nobody of it: it is completed.\n');
  });

  it('takes a sample in an empty folder, guesses its country and asks only to confirm it', async () => {
    const at = desk();
    const { io, ended } = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true });
    await answerAll(io, [
      ['[simulated]: ', ''],
      ['The first list; sample has fictional numbers [sample]: ', ''],
      ['Country of numbers without +, its name or e.g. US [US]: ', ''],
      ['Name of the campaign [sample]', ''],
      ['Your time zone', ''],
    ]);
    expect((await ended).err).toMatch(
      /can be run; 53 of 60 rows can be called:\s`npx callsheet check campaigns\/sample.yaml` says/,
    );
    expect(at.read('sample.csv')).toContain('Alex Example');
    expect((await at.run(['check', 'campaigns/sample.yaml'])).code).toBe(0);
    // Enter at everything once more makes a second campaign.
    const again = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true });
    await answerAll(again.io, [
      ['[simulated]: ', ''],
      ['The first list; sample has fictional numbers [sample]: ', ''],
      ['Country of numbers without +, its name or e.g. US [US]: ', ''],
      ['Name of the campaign [sample-2]', ''],
      ['Your time zone', 'New York'],
      ['"New York" is not an IANA time zone; did you mean America/New_York?\n', 'Eastern'],
      ['"Eastern" is not an IANA time zone; did you mean America/New_York?\n', 'Pacific time'],
      ['"Pacific time" is not an IANA time zone; did you mean America/Los_Angeles?\n', ''],
    ]);
    expect((await again.ended).code).toBe(0);
    // Enter says yes to what was asked.
    expect(at.read('campaigns/sample-2.yaml')).toContain('timezone: America/Los_Angeles\n');
    const empty = await at.run(['status'], { columns: 400 });
    expect(empty.err).toContain('; `npx callsheet check campaigns/sample-2.yaml` looks at');
    await at.run(['import', 'sample', 'campaigns/sample.yaml']);
    // The file stands for its campaign wherever a name does.
    const words = ['status', 'set', 'tail --once', 'pause', 'export', 'report', 'cancel'];
    for (const word of words) {
      const [verb = '', ...more] = word.split(' ');
      const { code, err } = await at.run([verb, 'campaigns/sample.yaml', ...more]);
      expect([verb, code, err]).toEqual([verb, 0, expect.not.stringContaining('No campaign')]);
    }
  });

  it('looks at the columns of a list as soon as it is named, and takes a pasted path', async () => {
    const at = desk();
    vi.stubEnv('HOME', at.cwd);
    mkdirSync(at.path('my lists'));
    at.write('my lists/leads.csv', 'phone\n+12125550100\n');
    at.write('notes.txt', 'call Al\ncall Bo\n');
    at.write('empty.csv', '');
    const { io, ended } = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true, columns: 400 });
    await answerAll(io, [
      ['[simulated]: ', ''],
      ['The first list', 'notes.txt'],
      ['has no phone column: its columns are "call Al"', 'empty.csv'],
      ['is empty; a list has a line of column names', 'my lists'],
      ['is a folder, not a list.', "'my lists/lead.csv'"],
      ['did you mean', '~/none.csv'],
      [`There is no list at ${at.path('none.csv')}`, "'my lists/leads.csv' "],
      ['Name of the campaign [leads]', ''],
      ['Your time zone', ''],
    ]);
    expect((await ended).code).toBe(0);
    expect(at.read('campaigns/leads.yaml')).toContain('leads: "../my lists/leads.csv"\n');
    const flags = ['--service', 'simulated', '--list', 'my\\ lists/leads.csv', '--name', 'x'];
    expect((await at.run(['init', ...flags])).code).toBe(0);
  });

  it('doubts a country that does not fit the list, in the words of check', async () => {
    const at = desk();
    const begin = (...more: string[]) =>
      at.run(['init', '--service', 'simulated', '--list', 'sample', ...more], { columns: 400 });
    const { err } = await begin('--country', 'DE');
    expect(err).toContain(`
  7 rows taken as they are: +493125550101 is in a range not known to be in use
  For 33 people, list and number disagree about the time zone: calling hours have to allow a call in both.
  Is DE the country of this list? If not, correct it in campaigns/sample.yaml.
Campaign "sample" can be run; 54 of 60 rows can be called: `);
    expect((await begin('--country', 'US', '--name', 'us')).err).not.toContain('disagree');
  });

  it('understands a country by its name', async () => {
    const { at } = await aFolder();
    for (const [said, code] of [
      ['USA', 'US'],
      ['United States', 'US'],
      ['Germany', 'DE'],
      ['uk', 'GB'],
    ] as const) {
      const flags = ['--service', 'simulated', '--list', 'leads.csv', '--country', said];
      expect((await at.run(['init', ...flags, '--name', code + said])).code).toBe(0);
      expect(at.read(`campaigns/${code}${said}.yaml`)).toContain(`country: ${code}\n`);
    }
  });

  it.each([
    ['Europe/Berlin', '030 123456\n0171 2345678', 'DE'],
    ['America/New_York', '030 123456\n0171 2345678\n+4930123457', 'DE'],
    ['Europe/Berlin', '(212) 555-0100\n312-555-0101', 'US'],
    ['America/New_York', '030 123456', 'none: they are not called'],
    ['Europe/Berlin', '2125550100\n4155550101', 'none: they are not called'],
    ['America/Toronto', '4165550100\n6475550101', 'CA'],
  ])('guesses in %s the country of %j: %s', async (timezone, numbers, guess) => {
    const at = desk();
    at.write('leads.csv', `phone\n${numbers}\n`);
    const { io, ended } = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true, timezone });
    await answerAll(io, [
      ['[simulated]: ', ''],
      ['The first list', 'leads.csv'],
      [`Country of numbers without +, its name or e.g. US [${guess}]: `, 'Germany'],
      ['Name of the campaign', ''],
      ['Your time zone', ''],
    ]);
    expect((await ended).err).toContain('Written: ');
  });

  it('says what the prompt of the agent needs that the list lacks, and that the service takes no column', async () => {
    const { at, service } = await aFolder();
    withKey(at);
    const agent = { id: 'ag_1', name: 'Renewals', systemPrompt: 'Hello {{first_name}}.' };
    service.behave({ agents: () => ({ body: { data: [agent] } }) });
    const { code, err } = await at.run(flagsFor(service.url));
    expect(code).toBe(0);
    expect(err).toContain(`The agent's prompt needs first_name of each row.
  first_name: the list has no column "first_name": blank for 1 person
The agent is given the number alone, no name: the service takes no more with a call.`);
  });

  it('adds to a services.yaml without touching a comment, and lets editors know every key', async () => {
    const { at, service } = await aFolder();
    withKey(at);
    mkdirSync(at.path('campaigns'));
    const before = '# ours\nother: # the old one\n  url: https://voice.example';
    at.write('campaigns/services.yaml', before);
    const { code, out } = await at.run([...flagsFor(service.url), '--service', 'new', '--json']);
    expect(code).toBe(0);
    expect(at.read('campaigns/services.yaml')).toBe(
      `${before}\n\nnew:\n  url: ${service.url}\n  profile: voice-agent\n  keyFile: ../main.key\n`,
    );
    expect(JSON.parse(out)).toEqual({
      home: at.cwd,
      campaign: 'leads',
      files: [
        ...['services.yaml', 'campaign.schema.json', 'leads.yaml'].map(
          (name) => `campaigns/${name}`,
        ),
        'data/callsheet.db',
      ].map((name) => at.path(name)),
    });
    const schema = JSON.parse(at.read('campaigns/campaign.schema.json')) as Schema;
    expect(keysIn(schema).toSorted()).toEqual(CAMPAIGN_KEYS.toSorted());
  });

  it('replaces nothing that is there, and leaves nothing half written', async () => {
    const { at, service } = await aFolder();
    withKey(at);
    await at.run(flagsFor(service.url));
    at.write('bad.csv', 'phone\nn/a\n');
    chmodSync(at.path('campaigns/services.yaml'), 0o640);
    const before = textsIn(at);
    for (const [flags, message] of [
      [[], 'There is a service "main" in'],
      [['--service', 'second'], 'There is a campaign file'],
      [['--service', 'second', '--name', 'x', '--list', 'none.csv'], 'There is no list at'],
      [['--service', 'second', '--name', 'x', '--list', 'bad.csv'], 'none of 1 row has a number'],
    ] as const) {
      const given = flagsFor(service.url).filter(
        (word) => !flags.includes('--list' as never) || !['--list', 'leads.csv'].includes(word),
      );
      const { code, err } = await at.run([...given, ...flags]);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
      expect(textsIn(at)).toEqual(before);
    }
  });

  it('names off a terminal all flags that are missing, and how a key file is made', async () => {
    const { at } = await aFolder();
    const bare = await at.run(['init']);
    expect([bare.code, bare.err]).toEqual([
      2,
      expect.stringContaining('needs --service-url, --key-file, --agent, --list:'),
    ]);
    const noKey = await at.run(flagsFor('http://127.0.0.1:9'));
    expect([noKey.code, noKey.err]).toEqual([
      2,
      expect.stringContaining(`\`(umask 077 && cat > ${at.path('main.key')})\` makes it`),
    ]);
    expect(readdirSync(at.cwd)).toEqual(['leads.csv']);
  });

  it('asks on a terminal, lists the agents, and keeps the key to itself', async () => {
    const { at, service } = await aFolder();
    const { io, ended } = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true });
    await answerAll(io, [
      ...untilTheKey(service.url),
      ['(it is not shown): ', `x\u007f${KEY}`],
      ['ID of the agent', 'ag_1'],
      ['The first list', 'leads.csv'],
      ['Name of the campaign [leads]', 'spring renewals'],
      ['Your time zone, for hours and printed times [America/New_York]', ''],
    ]);
    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).toContain('Its agents:\n  ag_1  Renewals\n');
    expect(err).not.toContain(KEY);
    expect(at.read('main.key')).toBe(`${KEY}\n`);
    expect(statSync(at.path('main.key')).mode & 0o777).toBe(0o600);
    expect(at.read('campaigns/spring renewals.yaml')).toContain('name: "spring renewals"\n');
    expect(err).toContain("npx callsheet run 'campaigns/spring renewals.yaml'\n");
  });

  it('asks every question again after an answer that is none, and speaks of answers, not of flags', async () => {
    const { at, service } = await aFolder();
    service.behave({ agents: ({ key }) => (key === `Bearer ${KEY}` ? AGENTS : REFUSED) });
    at.write('bad.csv', 'phone\n12345\n');
    at.write('empty.key', '');
    at.write('refused.key', 'sk-refused');
    mkdirSync(at.path('folder'));
    mkdirSync(at.path('campaigns'));
    at.write('campaigns/services.yaml', 'old:\n  url: https://voice.example\n');
    at.write('campaigns/taken.yaml', 'name: taken\n');

    const { io, ended } = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true, columns: 400 });
    await answerAll(io, [
      ['Address of the service', 'voice'],
      ['"voice" is not an address', service.url],
      ['Its name in services.yaml [main]', 'simulated'],
      ['"simulated" is the embedded service', 'old'],
      ['There is a service "old" in', 'a/b'],
      ['"a/b" ', ''],
      ['How it speaks', 'voice-agnt'],
      ['There is no profile "voice-agnt"', ''],
      ['Name of the file for its API key [main.key]', 'sk-pasted'],
      ['That looks like the key itself.', 'abcDEF0123456789ghijKLM'],
      ['That looks like the key itself.', 'empty.key'],
      ['empty.key is empty.\nName of', 'folder'],
      ['folder" is a folder', 'none/main.key'],
      ['there is no folder', 'refused.key'],
      ['The service refused the key', ''],
      ['(it is not shown): ', ''],
      ['Nothing was typed; paste the key.\nThe API key', 'two words'],
      ['and no spaces', 'sk-refused'],
      ['empty keeps the refused one): ', KEY],
      ['ID of the agent that speaks [ag_1]', 'ag_none'],
      ['has no agent "ag_none"; it has ag_1.', ''],
      ['The first list', ''],
      ['An answer is needed.\nThe first list', 'none.csv'],
      ['There is no list at', 'bad.csv'],
      ['Country of numbers', 'XX'],
      ['"XX" ', 'US'],
      ['Name of the campaign [bad]', 'taken'],
      ['There is a campaign file', 'spring'],
      ['Your time zone, for hours and printed times [America/New_York]', 'Mars'],
      ['"Mars" ', ''],
      ['none of 1 row has a number that can be called.   line 2: "12345" has 5', 'leads.csv'],
    ]);
    const { code, err } = await ended;
    expect([code, err]).toEqual([0, expect.stringContaining('Campaign "spring" can be run;')]);
    const asked = err.slice(0, err.indexOf('Written: '));
    expect(asked).not.toMatch(/--[a-z]/);
    expect(at.read('campaigns/spring.yaml')).toContain('leads: ../leads.csv\n');
    expect(at.read('campaigns/spring.yaml')).toContain('agent: ag_1\n');
  });

  it('asks again for rules that do not exist', async () => {
    const { at, service } = await aFolder();
    at.write('leads.csv', `phone\n${livePhone(0)}\n`);
    const connect = leadTo({ 'https://voice.example.com': service.url });
    const flags = ['init', '--service-url', 'https://voice.example.com', '--key-file', 'main.key'];
    withKey(at);
    const more = ['--agent', 'ag_1', '--list', 'leads.csv', '--country', 'US', '--name', 'spring'];
    const given = { stdinIsTty: true, stderrIsTty: true, columns: 400, connect };
    const { io, ended } = at.begin([...flags, ...more], given);
    await answerAll(io, [
      ['Its name in services.yaml', ''],
      ['How it speaks', ''],
      ['Your time zone', ''],
      ['Calling rules', 'us-stats'],
      ['There are no rules "us-stats" (did you mean "us-states"?)', 'us-states'],
    ]);
    expect((await ended).code).toBe(0);
    expect(at.read('campaigns/spring.yaml')).toContain('rules: [us-states]\n');
  });

  it('keeps a refused key only where that is wished, and says that nothing is tested', async () => {
    const { at, service } = await aFolder();
    service.behave({ agents: () => REFUSED });
    const { io, ended } = at.begin(['init'], { stdinIsTty: true, stderrIsTty: true });
    await answerAll(io, [
      ...untilTheKey(service.url),
      ['(it is not shown): ', KEY],
      ['empty keeps the refused one): ', ''],
      ['ID of the agent', 'ag_1'],
      ...afterTheAgent,
    ]);
    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).toContain('The refused key is kept. Neither the key nor the agent is tested.');
    expect(err).toContain('can be run, but key and agent are not tested;');
  });

  it('writes nothing off a terminal for a refused key or an unknown agent', async () => {
    const { at, service } = await aFolder();
    withKey(at);
    service.behave({ agents: ({ key }) => (key === `Bearer ${KEY}` ? AGENTS : REFUSED) });
    const flags = flagsFor(service.url).map((word) => (word === 'ag_1' ? 'ag_2' : word));
    const unknown = await at.run(flags);
    expect([unknown.code, unknown.err]).toEqual([
      2,
      expect.stringContaining('has no agent "ag_2"; it has ag_1.'),
    ]);
    at.write('main.key', 'sk-refused\n');
    const { code, err } = await at.run(flagsFor(service.url));
    expect([code, err]).toEqual([4, expect.stringContaining('The service refused the key: GET ')]);
    expect(err).toContain(
      `next: put a key that the service accepts into ${at.path('main.key')}; nothing was written`,
    );
    expect(readdirSync(at.cwd).toSorted()).toEqual(['leads.csv', 'main.key']);
  });

  it('says that key and agent are not tested where the service cannot be reached', async () => {
    const { at } = await aFolder();
    withKey(at);
    const clock = hastyClock(100);
    const { code, err } = await at.run(flagsFor('http://127.0.0.1:9'), { clock });
    expect(code).toBe(0);
    expect(err).toContain('So neither the key nor the agent is tested now;');
    expect(err).toContain('`npx callsheet doctor --service main` tests the key later.');
    expect(err).toContain('can be run, but key and agent are not tested;');
  });

  it('prints a crontab line that cron can read where a folder has a percent sign', async () => {
    const { at, service } = await aFolder();
    withKey(at);
    const program = ['/opt/100%/node', '/opt/it/callsheet.js'] as const;
    const { err } = await at.run(flagsFor(service.url), { program });
    expect(err).toContain(` && '/opt/100\\%/node' /opt/it/callsheet.js run campaigns/leads.yaml `);
  });

  it('writes nothing when the questions are left', async () => {
    const { at } = await aFolder();
    const { code, err } = await at.run(['init'], { typed: '' });
    expect([code, err]).toEqual([2, expect.stringContaining('nothing was written')]);
    expect(readdirSync(at.cwd)).toEqual(['leads.csv']);
  });
});

const REFUSED = { status: 401, body: { error: 'no' } };
const AGENTS = { body: { data: [{ id: 'ag_1', name: 'Renewals' }] } };

type Answers = [question: string, answer: string][];

const untilTheKey = (url: string): Answers => [
  ['Address of the service', url],
  ['Its name in services.yaml [main]', ''],
  ['How it speaks', ''],
  ['Name of the file for its API key [main.key]', ''],
];

const afterTheAgent: Answers = [
  ['The first list', 'leads.csv'],
  ['Name of the campaign [leads]', ''],
  ['Your time zone, for hours and printed times [America/New_York]', ''],
];

async function answerAll(io: FakeIo, answers: Answers): Promise<void> {
  for (const [question, answer] of answers) {
    await io.written(question);
    // Only once the question waits for its answer.
    await new Promise((resolve) => setImmediate(resolve));
    io.stdin.write(`${answer}\n`);
  }
}

/** Without the times: what was written and taken back is as it was. */
function textsIn(at: Desk) {
  const texts = Object.entries(contentsOf(at.cwd));
  const { mode } = statSync(at.path('campaigns/services.yaml'));
  return [mode, ...texts.map(([name, text]) => [name, text.replace(/^[\d.]+ /, '')])];
}

interface Schema {
  type: string | string[];
  properties?: Record<string, Schema>;
}

function keysIn({ type, properties = {} }: Schema, path: string[] = []): string[] {
  const own = type === 'object' || path.length === 0 ? [] : [path.join('.')];
  const below = Object.entries(properties).flatMap(([name, each]) => keysIn(each, [...path, name]));
  return [...own, ...below];
}
