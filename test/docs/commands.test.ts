import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArgs } from '../../src/cli/args/parse.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { main } from '../../src/cli/main.ts';
import { loadServices } from '../../src/config/services-file.ts';
import { EXIT } from '../../src/runtime/errors.ts';
import { desk, rowsOf } from '../helpers/callsheet.ts';
import { fakeIo } from '../helpers/fake-io.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { commandIn, page, pages, root } from './pages.ts';

const commands = [
  ...new Set(
    pages
      .flatMap(({ linesOf, spans }) => [...linesOf('sh'), ...linesOf('cron'), ...spans])
      .flatMap((text) => commandIn(text) ?? []),
  ),
];

describe('the pages', () => {
  it('show commands at all', () => {
    expect(commands.length).toBeGreaterThan(60);
  });

  it.each(commands)('show a command line that is one: callsheet %s', async (line) => {
    const words = line.split(/\s+/);
    if (words.includes('--help')) {
      expect(await main(words, fakeIo({ cwd: root }))).toBe(EXIT.ok);
      return;
    }
    const row = COMMANDS.find(({ name }) => `${line} `.startsWith(`${name} `));
    if (row === undefined) throw new Error(`"${line}" begins with no command`);
    // A sentence about a command names it and no more.
    if (line === row.name) return;
    const rest = words.slice(row.name.split(' ').length);
    await expect(parseArgs(row, await row.load(), rest)).resolves.toBeDefined();
  });
});

describe('the root page', () => {
  it('has a rehearsal that runs as it stands, and makes no real call and no real database', async () => {
    const at = desk();
    cpSync(join(root, 'data/samples'), at.path('data/samples'), { recursive: true });
    const codes: [string, number][] = [];
    const clock = hastyClock(30);
    const { linesOf } = page('README.md');
    for (const line of linesOf('sh rehearsal').flatMap((text) => commandIn(text) ?? [])) {
      const { code } = await at.run(line.split(' '), { clock });
      codes.push([line.split(' ')[0] ?? '', code]);
    }
    expect(codes).toEqual([
      ['check', EXIT.ok],
      ['run', EXIT.waiting],
      ['status', EXIT.ok],
      ['call', EXIT.ok],
      ['export', EXIT.ok],
    ]);
    const leads = at.read('leads.jsonl').trimEnd().split('\n');
    expect(leads).toHaveLength(53);
    expect(leads.filter((lead) => lead.includes('"call_state":"done"'))).toHaveLength(5);
    expect(at.has('data/callsheet.db')).toBe(false);
  }, 60_000);

  it('shows what the demo prints, in whose results or rejects every sample row is', async () => {
    const { code, out, err } = await desk().run(['demo'], { clock: hastyClock(30) });
    expect(code).toBe(EXIT.ok);
    const demo = page('README.md').linesOf('text');
    const whole = demo
      .slice(0, demo.indexOf('Every lead is final.') + 1)
      .filter((line) => !/\.\.\.|\/tmp\/|\/min/.test(line));
    expect(whole.length).toBeGreaterThan(3);
    const printed = `${out}${err}`.split('\n');
    expect(whole.filter((line) => !printed.includes(line))).toEqual([]);

    const results = /Results: (\S+) \(53 rows\)/.exec(err)?.[1] ?? '';
    const rejects = /Rows not taken are in (\S+);/.exec(err)?.[1] ?? '';
    const rows = [results, rejects].map((path) => rowsOf(readFileSync(path, 'utf8')).length);
    expect(rows).toEqual([53, 7]);
    expect(err).toContain('nobody is called');
    const folder = dirname(dirname(results));
    expect(err).toContain(`callsheet import demo ${rejects} --db ${join(folder, 'demo.db')}`);
    rmSync(folder, { recursive: true });
  }, 60_000);

  it('says the two commands that everybody needs first', () => {
    expect(page('README.md').linesOf('sh').slice(0, 2)).toEqual([
      expect.stringMatching(/^npm ci && npm run demo /),
      expect.stringMatching(/^npm ci && npm test /),
    ]);
  });

  it('shows a services file that can be used', () => {
    const at = desk();
    const path = at.write('services.yaml', page('README.md').linesOf('yaml').join('\n'));
    expect(loadServices(path, at.cwd).entries.get('main')).toEqual({
      url: 'https://voice.example.com',
      keyEnv: 'VOICE_API_KEY',
    });
  });

  it('mentions an example campaign that is in order', async () => {
    const at = desk();
    const { code } = await at.run(['check', join(root, 'campaigns/example.yaml')]);
    expect(code).toBe(EXIT.ok);
  });
});
