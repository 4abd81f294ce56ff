import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { shareOf } from '../../helpers/properties.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { aDesk, main } from './a-desk.ts';
import { anyDisk } from './a-schema.ts';

const untimed = (text: string) => text.replaceAll(/\d\d:\d\d(?::\d\d)?/g, 'TIME');

describe('callsheet migrate', () => {
  it('makes the schema, then says that it is up to date', async () => {
    const { at, url } = aDesk();
    expect(await at.run(['list'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no schema of callsheet in') as string,
    });
    const first = await at.run(['migrate']);
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toMatch(/^Made the schema in .*, version \d+\.\n$/);
    const { out } = await at.run(['migrate', '--json']);
    expect(JSON.parse(out)).toMatchObject({ database: url, made: false });
    expect((await at.run(['list'])).code).toBe(0);
  });
});

/** Commands that a sample has always. */
const MAIN = ['import', 'set', 'export'];

describe('commands that call nobody', () => {
  it('do on a server what they do in a file, to the same results', async () => {
    const { at } = aDesk();
    const { url } = await voiceServer();
    at.write(
      'leads.csv',
      'name,phone\nAl,+12125550100\nBo,+12125550101\nCy,+12125550102\nEd,n/a\n',
    );
    at.write('more.csv', 'name,phone\nDi,+12125550103\nAl,+12125550100\n');
    at.write('dnc.csv', 'phone\n+12125550101\n');
    await at.run(['migrate']);
    const commands = [
      ['suppress', 'import', 'dnc.csv'],
      ['import', 'spring', 'leads.csv', '--agent', 'ag_1', '--service-url', url],
      ['suppress', 'add', '+12125550102'],
      ['import', 'spring', 'more.csv'],
      ['check', 'spring'],
      ['cancel', 'spring', '--lead', '+12125550100'],
      ['cancel', 'spring', '--lead', '+12125550100', '--undo'],
      ['set', 'spring', 'concurrency=3'],
      ['resume', 'spring'],
      ['pause', 'spring'],
      ['set', 'spring', 'name=summer'],
      ['explain', '--calls', 'Al'],
      ['explain', '+12125550101'],
      ['collect', 'summer'],
      ['export', 'summer', '-o', '-'],
      ['suppress', 'list', '+12125550101'],
      ['report', '--by', 'night', 'summer'],
      ['report', 'summer'],
      ['inbox', 'list'],
      ['resolve', 'summer'],
    ];
    const env = { ...at.env, VOICE_API_KEY: 'k' };
    const drawn = inject('isSample') ? shareOf(commands, 5) : commands;
    const tried = commands.filter((one) => drawn.includes(one) || MAIN.includes(one[0] ?? ''));
    for (const argv of tried) {
      const here = await at.run([...argv, '--db', 'calls.db'], { env });
      const there = await at.run(argv, { env });
      expect({ argv, ...there }).toMatchObject({ code: here.code });
      expect(untimed(there.out)).toBe(untimed(here.out).replaceAll(' --db calls.db', ''));
    }
    expect((await at.run(['list', '--json'])).out).toContain('"summer"');
  }, 240_000);
});

describe('users, tokens and links of the console', () => {
  it('are the same on each machine at the database', async () => {
    const { at, url } = aDesk();
    const other = desk(at.env, undefined, main);
    const refused = await at.run(['users', 'list']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('callsheet migrate`');
    await at.run(['migrate']);
    expect((await at.run(['users', 'list'])).err).toContain('There is no user');
    const { io, ended } = at.begin(['users', 'add', 'Ann', '--role', 'admin']);
    io.stdin.end('correct horse battery staple\n');
    expect(await ended).toMatchObject({ code: 0 });
    expect((await at.run(['tokens', 'add', 'crm', '--role', 'viewer'])).code).toBe(0);
    expect((await other.run(['users', 'list'])).out).toMatch(/^Ann +admin/m);
    expect((await other.run(['tokens', 'list'])).out).toMatch(/^crm +viewer/m);
    expect((await other.run(['tokens', 'remove', 'CRM'])).code).toBe(0);
    const again = await other.run(['users', 'remove', 'ann']);
    expect(again.err).toContain('admin');
    const link = await other.run(['console', '--link']);
    expect(link.err).toContain(`No console runs at this database (none is noted in ${url})`);
    expect(at.has('data')).toBe(false);
  });
});

describe('callsheet doctor', () => {
  const found = async (at: ReturnType<typeof desk>) => {
    const { out } = await at.run([
      'doctor',
      '--service',
      'simulated',
      '--json',
      '--db',
      at.env['CALLSHEET_DB'] ?? '',
    ]);
    const findings = JSON.parse(out) as { what: string; state: string; detail: string }[];
    return (name: string) => findings.find(({ what }) => what === name);
  };

  it('says what a server is, and how many dials the way there allows', async () => {
    const { at, url } = aDesk();
    expect((await found(at))('database')).toMatchObject({
      state: 'problem',
      next: expect.stringContaining('`callsheet migrate`') as string,
    });
    await at.run(['migrate']);
    const of = await found(at);
    expect(of('database')).toMatchObject({ state: 'ok' });
    expect(of('database')?.detail).toMatch(
      /: PostgreSQL \d+\.\d+, schema version \d+; its settings keep what it confirms; no standby replicates it$/,
    );
    expect(of('database')?.detail).toContain(url);
    expect(of('server')?.detail).toMatch(
      /^an answer of the server takes [\d.]+ ms, enough for \d+ dials? a second at most; its clock differs by \d+ ms; without TLS, on this machine\b/,
    );
    expect(of('disk')?.detail).toMatch(/ free, where this machine keeps results and lists \(/);
    expect(of('disk')?.detail).not.toMatch(/ballast|network/);
  });
});

describe('calls from a database on a server', () => {
  it('are made and collected, and the machine leaves; its journal is where --journal names a folder', async () => {
    const { at } = aDesk();
    const disk = anyDisk;
    const journal = tempFolder();
    await at.run(['migrate']);
    at.write('leads.csv', 'phone\n+12125550101\n+12125550102\n');
    const argv = ['run', 'leads.csv', '--service', 'simulated', '--agent', 'ag_demo', '--yes'];
    const db = at.env['CALLSHEET_DB'] ?? '';
    const { code, err } = await at.run([...argv, '--db', db, '--journal', journal], { disk });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(readFileSync(join(journal, readdirSync(journal)[0] ?? ''), 'utf8')).toContain(
      '+12125550102',
    );

    const { out } = await at.run(['machines', 'list', '--json']);
    const [machine] = JSON.parse(out) as { name: string; isAwaited: boolean; leftAt: string }[];
    expect(machine).toMatchObject({ isAwaited: false, leftAt: expect.any(String) as string });
    const asked = await at.run(['machines', 'forget', machine?.name ?? '']);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('a yes') as string });
    const gone = await at.run(['machines', 'forget', machine?.name ?? '', '--yes', '--json']);
    expect(JSON.parse(gone.out)).toEqual([]);
    const unknown = await at.run(['machines', 'forget', machine?.name ?? '', '--yes']);
    expect(unknown.err).toContain('machines list');
    expect((await at.run(['restored'])).code).toBe(0);
  });
});
