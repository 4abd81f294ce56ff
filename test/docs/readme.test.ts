import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { main } from '../../src/cli/main.ts';
import { parseArgs } from '../../src/cli/args/parse.ts';
import { packageRoot } from '../../src/config/package-root.ts';
import { loadServices } from '../../src/config/services.ts';
import { ATTEMPT_STATES, HOLDING_STATES } from '../../src/domain/attempt.ts';
import { leadAfter } from '../../src/domain/lead.ts';
import { mapColumns } from '../../src/leads/columns/map-columns.ts';
import { CALL_COLUMNS } from '../../src/results/columns.ts';
import { EXIT } from '../../src/runtime/errors.ts';
import { desk } from '../helpers/callsheet.ts';
import { fakeIo } from '../helpers/fake-io.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';

const root = packageRoot();
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};
/** What people wrote: the command reference is generated, and has a test of its own. */
const readme = readFileSync(join(root, 'README.md'), 'utf8').replace(
  /<!-- commands -->[\s\S]*<!-- \/commands -->/,
  '',
);
const fences = [...readme.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
  kind: kind ?? '',
  lines: (text ?? '').split('\n').filter((line) => line !== ''),
}));
const spans = [...readme.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(
  ([, text]) => text ?? '',
);
const typed = linesOf('sh').concat(linesOf('cron'), spans);
const commands = [...new Set(typed.flatMap((text) => commandIn(text) ?? []))];
/** Files that the page tells its reader to make. */
const YOURS = ['campaigns/profiles/mine.yaml', 'campaigns/campaign.schema.json'];

describe('the README', () => {
  it('shows commands at all', () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  it.each(commands)('shows a command line that is one: callsheet %s', async (line) => {
    const words = line.split(/\s+/);
    if (words.includes('--help')) {
      expect(await main(words, fakeIo({ cwd: root }))).toBe(EXIT.ok);
      return;
    }
    const row = COMMANDS.find(({ name }) => `${line} `.startsWith(`${name} `));
    if (row === undefined) throw new Error(`"${line}" begins with no command`);
    const rest = words.slice(row.name.split(' ').length);
    await expect(parseArgs(row, await row.load(), rest)).resolves.toBeDefined();
  });

  it('has a rehearsal that runs as it stands, and makes no real call and no real database', async () => {
    const at = desk();
    cpSync(join(root, 'data/samples'), at.path('data/samples'), { recursive: true });
    const codes: [string, number][] = [];
    const clock = hastyClock(10);
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

  it('shows a services file that can be used', () => {
    const at = desk();
    const path = at.write('services.yaml', linesOf('yaml').join('\n'));
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

  it('mentions no file and no npm script that is not there', () => {
    const paths = spans.filter((text) =>
      /^(?:(?:src|test|campaigns|data\/samples|\.config|\.ci)(?:\/[\w./-]+)?)$/.test(text),
    );
    expect(paths.length).toBeGreaterThan(30);
    const missing = paths.filter((path) => !YOURS.includes(path) && !existsSync(join(root, path)));
    expect(missing).toEqual([]);
    const scripts = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
    expect(scripts.filter((name) => packageJson.scripts[name] === undefined)).toEqual([]);
  });

  it('has a sentence for each runtime dependency', () => {
    const rows = tableAfter('Runtime dependencies');
    expect(rows.map(([name]) => name)).toEqual(
      Object.keys(packageJson.dependencies).map((name) => `\`${name}\``),
    );
    for (const [, sentence = ''] of rows) expect(sentence).toMatch(/^[A-Z].{40,}\.$/);
  });

  it('lists the exit codes, and says of each what it means at night', () => {
    const codes = Object.values(EXIT).map(String);
    expect(tableAfter('## Exit codes, logs, privacy').map(([code]) => code)).toEqual(codes);
    const night = tableAfter('## Every night').flatMap(([some = '']) => some.split(', '));
    expect(night.toSorted()).toEqual(codes.toSorted());
  });

  it('lists the columns of the results in their order', () => {
    const columns = tableAfter('**Results**: one row per lead').map(([name]) => name);
    expect(columns).toEqual(CALL_COLUMNS.map((name) => `\`${name}\``));
  });

  it('names only columns of lists that are recognised', () => {
    const [phone, country] = tableAfter('**The list** is CSV');
    const named = (cell = '') => [...cell.matchAll(/`([^`+]+)`/g)].map(([, name]) => name ?? '');
    expect(named(phone?.[1]).length).toBeGreaterThan(10);
    for (const name of named(phone?.[1])) expect(mapColumns('a list', [name]).phones).toEqual([0]);
    expect(named(country?.[1]).length).toBeGreaterThan(2);
    for (const name of named(country?.[1])) {
      expect(mapColumns('a list', ['phone', name]).fields.country).toBe(1);
    }
  });

  it('lists the states of an attempt with their leads and slots', () => {
    const holding: readonly string[] = HOLDING_STATES;
    const rows = tableAfter('An **attempt** is').map(([state, , lead, slot]) => [
      state,
      lead,
      slot,
    ]);
    expect(rows).toEqual(
      ATTEMPT_STATES.map((state) => [
        `\`${state}\``,
        `\`${leadAfter(state).state}\``,
        holding.includes(state) ? 'yes' : 'no',
      ]),
    );
  });
});

/** The lines of all fenced blocks of a kind; `sh` is also `sh rehearsal`. */
function linesOf(kind: string): string[] {
  return fences
    .filter((fence) => fence.kind === kind || fence.kind.startsWith(`${kind} `))
    .flatMap(({ lines }) => lines);
}

/** The words after `callsheet`, without what belongs to the shell; undefined for other commands. */
function commandIn(text: string): string | undefined {
  const [, line] = /(?:^(?:npx )?callsheet|dist\/cli\/bin\.js) (.*)$/.exec(text) ?? [];
  return line?.replaceAll(/\$\([^)]*\)/g, 'x').replace(/\s+(?:[>|#;]|&&).*$/, '');
}

/** The cells of the rows of the first table after a text. */
function tableAfter(text: string): string[][] {
  const at = readme.indexOf(text);
  if (at < 0) throw new Error(`README.md does not have "${text}"`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(readme.slice(at)) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}
