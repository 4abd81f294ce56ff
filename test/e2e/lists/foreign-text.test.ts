import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, type Desk, type Ended } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

/** What a name, a transcript or a service may hold to steer a terminal or to look like a line of callsheet. */
const PAYLOADS = [
  '\u001b[2J\u001b[1;1H',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://a.test\u001b\\',
  '\u009b2J',
  '\u0085',
  '\u007f\u0008',
  '\r',
  '\n',
  '\r\n\r\n',
  '\v',
  '\u2028',
  '\u2029',
  '\u202e\u202d\u202c',
  '\u2066\u2067\u2068\u2069',
  '\u200e\u200f\u061c',
  '\u200b\u2060\ufeff\u00ad',
  '\u{e0041}',
];
const HOSTILE = PAYLOADS.map((payload) => `${payload}FORGED`).join('');
/** What a list may hold without being taken apart: line breaks within quotes. */
const CELL = `"Al ${HOSTILE}"`;
const UNSEEN =
  /(?![\n\t])[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\u{e0041}/u;
const FLAGS = ['--agent', 'ag_1', '--set', 'polling.floor=20ms'];

describe('text that comes from lists, services and callers', () => {
  it('steers no terminal and forges no line, whichever command shows it', async () => {
    const at = await aDesk();
    const list = `leads \u202e\u009b2J.csv`;
    at.write(list, `name,${CELL},phone\n${CELL},${CELL},+12125550100\n${CELL},x,n/a\n`);
    await shows(at, ['check', list, '--agent', 'ag_1']);
    await shows(at, ['import', 'spring', list, '--agent', 'ag_1']);
    await shows(at, ['run', 'spring', ...FLAGS, '--log-level', 'debug'], { asProcess: true });
    for (const command of [
      ['list'],
      ['status', 'spring'],
      ['explain', '--calls', '+12125550100'],
      ['explain', '--calls', 'FORGED'],
      ['tail', 'spring', '--once'],
      ['report', 'spring'],
      ['agents', 'list'],
      ['agents', 'show', 'ag_1'],
      ['doctor'],
      ['inbox', 'list'],
      ['set', 'spring', 'concurrency=2'],
      ['resolve', 'spring'],
    ]) {
      await shows(at, command);
    }
    for (const command of ['show FORGED', 'tail spring --once', 'agents show ag_1', 'agents list'])
      await shows(at, [...command.split(' '), '--json']);
    const told = JSON.parse((await at.run(['explain', '--calls', 'FORGED', '--json'])).out) as {
      cells: { value: string }[];
    }[];
    expect(told[0]?.cells[0]?.value).toContain('\u009b2J');
  });

  it('is no less harmless in the transcript of a single call, and as JSON', async () => {
    const at = await aDesk();
    const { out } = await shows(at, ['call', '+12125550101', ...FLAGS]);
    expect(out).toMatch(/^ {2}person: .*FORGED/m);
    await shows(at, ['call', '+12125550102', ...FLAGS, '--json']);
  });

  it('is no less harmless in saved answers that a profile is tried on', async () => {
    const at = await aDesk();
    const folder = at.path('answers');
    mkdirSync(folder);
    writeFileSync(`${folder}/analytics-1.json`, JSON.stringify(analytics()));
    writeFileSync(`${folder}/dial-422-\u009b2J.json`, JSON.stringify({ message: HOSTILE }));
    writeFileSync(`${folder}/analytics-\u202e.json`, HOSTILE);
    await shows(at, ['profile', 'try', 'voice-agent', '--samples', 'answers']);
    await shows(at, ['profile', 'try', 'voice-agent', '--samples', 'answers', '--json']);
  });

  it.each([[[]], [['--json']]])('is no less harmless in errors %s', async (json) => {
    const at = await aDesk({ failing: true });
    at.write('leads.csv', `name,phone\nAl,+12125550100\n`);
    at.write('hostile.yaml', `name: ${JSON.stringify(HOSTILE)}\n${JSON.stringify(HOSTILE)}: 1\n`);
    for (const args of [
      ['run', 'leads.csv', ...FLAGS],
      ['agents', 'list'],
      ['check', 'hostile.yaml'],
      ['run', `no\n\u202e${HOSTILE}.csv`],
      ['explain', '--calls', HOSTILE],
      ['export', HOSTILE],
      ['profile', 'check', `${HOSTILE}.yaml`],
      [HOSTILE],
    ]) {
      await shows(at, [...args, ...(args.length > 1 ? json : [])], { fails: true });
    }
  });

  it('is fit to be seen where a results file goes to a terminal, and whole where it goes to a pipe', async () => {
    const at = await aDesk();
    at.write('leads.csv', `name,phone\n${CELL},+12125550100\n`);
    await at.run(['run', 'leads.csv', ...FLAGS]);
    const piped = await at.run(['export', 'leads', '-o', '-', '--format', 'jsonl']);
    expect(piped.out).toContain('\u009b2J');
    const seen = await at.run(['export', 'leads', '-o', '-'], { stdoutIsTty: true });
    expect(seen.out).toContain('call_phone');
    expect(seen.out).not.toMatch(UNSEEN);
  });

  it('is escaped on the report page', async () => {
    const at = await aDesk();
    at.write('leads.csv', `name,phone\n${CELL},+12125550100\n`);
    await at.run(['run', 'leads.csv', ...FLAGS]);
    await at.run(['report', 'leads', '-o', 'page.html']);
    expect(at.read('page.html')).toContain('FORGED');
    expect(at.read('page.html')).not.toMatch(UNSEEN);
  });
});

function analytics() {
  return {
    status: 'completed',
    duration: 12.5,
    sentiment: 'positive',
    summary: HOSTILE,
    transcript: `agent: ${HOSTILE}\nuser: ${HOSTILE}`,
    recording_url: `https://a.test/${HOSTILE}`,
    [HOSTILE]: HOSTILE,
  };
}

async function aDesk({ failing = false } = {}): Promise<Desk> {
  const agents = {
    data: [{ id: 'ag_1', name: HOSTILE, system_prompt: 'Be kind.', [HOSTILE]: HOSTILE }],
  };
  const service = await voiceServer({
    agents: () => (failing ? { status: 403, body: { message: HOSTILE } } : { body: agents }),
    analytics: () => ({ body: analytics() }),
  });
  return desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
}

/** Runs a command; nothing that it writes may steer a terminal or begin a line with FORGED. */
async function shows(
  at: Desk,
  args: readonly string[],
  { fails = false, asProcess = false } = {},
): Promise<Ended> {
  const ended = asProcess ? await spawnCallsheet(at, args).ended : await at.run(args);
  const title = `${args.join(' ')}: ${ended.out}${ended.err}`;
  expect([0, 1, 2, 3, 4, 5], title).toContain(ended.code);
  if (fails) expect(ended.code, title).not.toBe(0);
  for (const written of [ended.out, ended.err]) {
    expect(written, title).not.toMatch(UNSEEN);
    expect(written, title).not.toMatch(/^[ ]?FORGED/m);
  }
  return ended;
}
