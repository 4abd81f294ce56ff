import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { confirm } from '../../src/cli/terminal/terminal.ts';
import { logOf, positiveNumber, wholeNumber } from '../../src/cli/args/options.ts';
import { pasteable, printProblem, printTable, say } from '../../src/cli/terminal/output.ts';
import { fakeIo } from '../helpers/fake-io.ts';
import { AppError } from '../../src/runtime/errors.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { locateDatabase } from '../../src/app/places/home.ts';

describe('a message', () => {
  const SENTENCE =
    'Campaign "spring" waits; `callsheet resume spring` lets it call again, and `callsheet list` shows all.';

  it('ends its lines between words on a terminal, never within a command', () => {
    const io = fakeIo({ cwd: tempFolder(), stderrIsTty: true, columns: 40 });
    say(io, SENTENCE);
    expect(io.err()).toBe(
      'Campaign "spring" waits;\n`npx callsheet resume spring` lets it\ncall again, and `npx callsheet list`\nshows all.\n',
    );
  });

  it('keeps a command whole that stands alone on its line', () => {
    const io = fakeIo({ cwd: tempFolder(), stderrIsTty: true, columns: 20 });
    say(io, '  callsheet import leads rejects.csv');
    expect(io.err()).toBe('  npx callsheet import leads rejects.csv\n');
  });

  it('keeps a word that is wider than the terminal, such as a path, whole', () => {
    const io = fakeIo({ cwd: tempFolder(), stderrIsTty: true, columns: 20 });
    const error = new AppError('X', 'No file /a/very/long/path/to/leads.csv.', {
      hint: 'Mend it.',
    });
    printProblem(io, error, { json: false, debug: false });
    expect(io.err()).toBe('callsheet: No file\n/a/very/long/path/to/leads.csv.\n  next: mend it\n');
  });

  it('is one line off a terminal', () => {
    const io = fakeIo({ cwd: tempFolder(), columns: 40 });
    say(io, SENTENCE);
    expect(io.err()).toBe(`${SENTENCE.replaceAll('callsheet', 'npx callsheet')}\n`);
  });
});

describe('a question', () => {
  const onTerminal = () => fakeIo({ cwd: tempFolder(), stdinIsTty: true, stderrIsTty: true });

  it.each([
    ['yes\n', true],
    [' YES \n', true],
    ['y\n', false],
    ['\n', false],
    ['no\nyes\n', false],
  ])('answered %j is %s', async (typed, agreed) => {
    const io = onTerminal();
    const answer = confirm(io, 'Type yes to call 412 people:');
    io.stdin.write(typed);
    expect(await answer).toBe(agreed);
    expect(io.err()).toContain('Type yes to call 412 people: ');
    expect(io.out()).toBe('');
  });

  it('is a no when the input ends', async () => {
    const io = onTerminal();
    const answer = confirm(io, 'Go on?');
    io.stdin.end();
    expect(await answer).toBe(false);
  });

  it('is not asked off a terminal, where it is a no', async () => {
    const io = fakeIo({ cwd: tempFolder() });
    io.stdin.end('yes\n');
    expect(await confirm(io, 'Go on?')).toBe(false);
    expect(io.err()).toBe('');
  });
});

describe('a table', () => {
  it('has aligned columns, no borders and no trailing blanks', () => {
    const io = fakeIo({ cwd: tempFolder() });
    printTable(
      io,
      ['CAMPAIGN', 'DONE', 'NEXT'],
      [
        ['spring', 12, null],
        ['a', 3, '\u001b[31mred\nline'],
      ],
    );
    expect(io.out()).toBe(
      'CAMPAIGN  DONE  NEXT\nspring    12    -\na         3     \u{fffd}[31mred line\n',
    );
  });
});

describe('the database', () => {
  const io = (env: Record<string, string> = {}) => ({ cwd: '/folder', env });

  it('is the one of --db, of CALLSHEET_DB, or data/callsheet.db', () => {
    expect(locateDatabase({}, io(), false)).toEqual({
      file: '/folder/data/callsheet.db',
      folder: '/folder/data',
      given: false,
    });
    expect(locateDatabase({}, io({ CALLSHEET_DB: '' }), false).given).toBe(false);
    const env = { CALLSHEET_DB: '/srv/calls.db' };
    expect(locateDatabase({}, io(env), false)).toEqual({
      file: '/srv/calls.db',
      folder: '/srv',
      given: true,
    });
    expect(locateDatabase({ db: 'x.db' }, io(env), false)).toEqual({
      file: '/folder/x.db',
      folder: '/folder',
      given: true,
    });
  });

  it('of a rehearsal is apart, unless --db says otherwise', () => {
    const env = { CALLSHEET_DB: '/srv/calls.db' };
    expect(locateDatabase({}, io(), true).file).toBe('/folder/data/simulated.db');
    expect(locateDatabase({}, io(env), true)).toEqual({
      file: '/srv/simulated.db',
      folder: '/srv',
      given: false,
    });
    expect(locateDatabase({ db: 'x.db' }, io(env), true).file).toBe('/folder/x.db');
  });
});

describe('a number in a flag', () => {
  it('is read within its bounds', () => {
    expect(wholeNumber('--port', '0', { min: 0, max: 65_535 })).toBe(0);
    expect(positiveNumber('--rate', '0.5')).toBe(0.5);
  });

  it.each(['', '-1', '65536', '1.5', '1e3', 'x'])('is refused when it is "%s"', (text) => {
    expect(() => wholeNumber('--port', text, { min: 0, max: 65_535 })).toThrow(
      `--port "${text}" is not a whole number from 0 to 65535.`,
    );
  });

  it.each(['', '0', '-1', '1e3', 'x'])('above 0 is refused when it is "%s"', (text) => {
    expect(() => positiveNumber('--rate', text)).toThrow(
      `--rate "${text}" is not a number above 0`,
    );
  });
});

describe('a command in a message', () => {
  const text = 'callsheet: see `callsheet run --help`\n  callsheet list';

  const program = ['/usr/bin/node', '/srv/call sheet/callsheet.js'] as const;
  const at = (env: Record<string, string>, cwd = tempFolder()) => ({ env, cwd, program });

  it('names the file that was started where npx would ask a registry', () => {
    const folder = mkdtempSync(join(tmpdir(), 'callsheet-elsewhere-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = "/usr/bin/node '/srv/call sheet/callsheet.js'";
    const elsewhere = `callsheet: see \`${file} run --help\`\n  ${file} list`;
    expect(pasteable(text, at({}, folder))).toBe(elsewhere);
    writeFileSync(join(folder, 'package.json'), '{ "bin": { "other": "callsheet" } }');
    expect(pasteable(text, at({}, folder))).toBe(elsewhere);
    writeFileSync(join(folder, 'package.json'), '{ "bin": { "callsheet": "a.js" } }');
    expect(pasteable(text, at({}, folder))).toContain('see `npx callsheet run');
    const inner = join(folder, 'lists');
    mkdirSync(inner);
    expect(pasteable(text, at({}, inner))).toContain('see `npx callsheet run');
    writeFileSync(join(inner, 'package.json'), '{}');
    expect(pasteable(text, at({}, inner))).toBe(elsewhere);
  });

  it('begins with npx where callsheet is not on the PATH', () => {
    const npx = 'callsheet: see `npx callsheet run --help`\n  npx callsheet list';
    expect(pasteable(text, at({}))).toBe(npx);
    const bin = join(tempFolder(), 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'callsheet'), '');
    expect(pasteable(text, at({ PATH: bin }))).toBe(npx);
  });

  it('names the database that a flag named, where the command uses one', () => {
    const said = 'see `callsheet status spring` or `callsheet run --help`:\n  callsheet import a b';
    expect(pasteable(said, { ...at({}), db: 'my data.db' })).toBe(
      "see `npx callsheet status spring --db 'my data.db'` or `npx callsheet run --help`:\n  npx callsheet import a b --db 'my data.db'",
    );
  });

  it('stays as it is where it is', () => {
    const bin = tempFolder();
    writeFileSync(join(bin, 'callsheet'), '');
    chmodSync(join(bin, 'callsheet'), 0o755);
    expect(pasteable(text, at({ PATH: `/nowhere:${bin}` }))).toBe(text);
  });
});

describe('the log of a command', () => {
  it('goes to stderr from the level of --log-level on', () => {
    const io = fakeIo({ cwd: tempFolder() });
    const log = logOf({ logLevel: 'info', json: false }, io);
    log.debug('call.looked');
    log.info('call.placed');
    expect(io.err()).toContain('"event":"call.placed"');
    expect(io.err()).not.toContain('call.looked');
    expect(io.out()).toBe('');
  });
});
