import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Desk } from '../../../helpers/callsheet.ts';
import type { AtEnd } from '../../../helpers/files/temp.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { aDesk, PHONES, RUN } from '../desk.ts';

const DB = 'data/callsheet.db';

/** A desk with a database, settings files and a campaign of one list that was called. */
async function called(atEnd?: AtEnd) {
  const { at, service } = await aDesk({}, atEnd);
  expect((await at.run(RUN)).code).toBe(0);
  return { at, service };
}

/** Every file of a desk with its bytes; of the database, which is looked into and tidied up meanwhile, that it is one. */
function everything(at: Desk): Map<string, string> {
  const names = readdirSync(at.cwd, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path, 'latin1');
      return [path, path.endsWith('callsheet.db') ? bytes.slice(0, 16) : bytes];
    }),
  );
}

const atEnd: (() => void | Promise<void>)[] = [];
const untilAll: AtEnd = (work) => atEnd.push(work);
afterAll(async () => {
  for (const work of atEnd.toReversed()) await work();
});

describe('a file that is worked with', () => {
  /** One desk for all: what must not be replaced is there as before. */
  let ready: ReturnType<typeof withEverything> | undefined;
  async function withEverything() {
    const { at, service } = await called(untilAll);
    await at.run(['backup', 'other.db']);
    at.write('more.csv', 'name,phone\nEve,+12125550104\n');
    symlinkSync(at.path('leads.csv'), at.path('link.csv'));
    symlinkSync(at.path(DB), at.path('link.db'));
    symlinkSync(at.path('data'), at.path('linked'));
    linkSync(at.path('leads.csv'), at.path('second.csv'));
    mkdirSync(at.path('campaigns'), { recursive: true });
    at.write('campaigns/services.yaml', 'main: { url: http://127.0.0.1:9 }\n');
    symlinkSync(at.path('campaigns/services.yaml'), at.path('services.csv'));
    return { at, service };
  }

  const WAYS = [
    (name: string) => ['export', 'leads', '-o', name, '--force'],
    (name: string) => ['export', 'leads', '--captured-leads', '-o', name, '--force'],
    (name: string) => ['report', 'leads', '-o', name, '--force'],
    (name: string) => ['run', 'more.csv', '--agent', 'ag_1', '-o', name, '--force'],
    () => ['run', 'spring.yaml', '--name', 'other', '--force'],
    (name: string) => ['export', 'leads', '-o', name],
  ];
  const FILES = [
    ['the database', DB],
    ['its log', `${DB}-wal`],
    ['its index of the log', `${DB}-shm`],
    ['its journal', `${DB}-journal`],
    ['the dial journal', `${DB}.dials`],
    ['the ballast', `${DB}.ballast`],
    ['a part of it in another spelling', 'data/CallSheet.DB-WAL'],
    ['the database of rehearsals', 'data/simulated.db'],
    ['a part of another database', 'other.db-wal'],
    ['another database', 'other.db'],
    ['the list', 'leads.csv'],
    ['a link to the list', 'link.csv'],
    ['a link to the database', 'link.db'],
    ['a path through a linked folder', `linked/callsheet.db-wal`],
    ['a second name of the list', 'second.csv'],
    ['the services', 'campaigns/services.yaml'],
    ['a link to the services', 'services.csv'],
    ['a campaign file', 'spring.yaml'],
    ['settings that are not there yet', 'campaigns/new.yaml'],
    ['a key that is not there yet', 'main.key'],
    ['a database that is not there yet', 'new.db'],
  ] as const;
  /** All commands look by the same function: each tries three kinds of files, and each file is tried by two. */
  const tried = FILES.map(([what, name], n) => ({
    ...{ what, name },
    ways: WAYS.filter((_, way) => n % 7 === 0 || way === n % 6 || way === (n + 3) % 6),
  }));

  it.each(tried)(
    'is replaced by no output, and nobody is called: $what',
    async ({ name, ways }) => {
      const { at, service } = await (ready ??= withEverything());
      at.write('spring.yaml', `leads: leads.csv\nagent: ag_1\nresults: { file: ${name} }\n`);
      const before = everything(at);
      const calls = service.dialled.length;
      for (const way of ways) {
        const argv = way(name);
        const { code, err } = await at.run(argv);
        expect([argv, code, err]).toEqual([
          argv,
          2,
          expect.stringMatching(/callsheet does not write over it|no output is written as one/),
        ]);
      }
      expect(everything(at)).toEqual(before);
      expect(service.dialled).toHaveLength(calls);
    },
  );

  it('is no place for a backup, a pinned profile or the state of the embedded service', async () => {
    const { at } = await called();
    await at.run(['backup', 'other.db']);
    await at.run(['list', '--db', 'other.db']);
    writeFileSync(at.path('other.db.dials'), '');
    at.write('spring.yaml', 'leads: leads.csv\n');
    const before = everything(at);
    for (const argv of [
      ['backup', 'leads.csv', '--force'],
      ['backup', 'spring.yaml', '--force'],
      ['backup', 'other.db', '--force'],
      ['backup', `${DB}-wal`, '--force'],
      ['backup', 'data/simulated.db'],
      ['profile', 'pin', 'voice-agent', '--campaign', 'leads', '-o', `${DB}-journal`],
      ['simulate', '--port', '0', '--state', `${DB}-journal`],
    ]) {
      const { code, err } = await at.run(argv);
      expect([argv, code, err]).toEqual([
        argv,
        2,
        expect.stringContaining('callsheet does not write over it'),
      ]);
    }
    expect(everything(at)).toEqual(before);
  });
});

describe('a file that callsheet did not write', () => {
  const FOREIGN = [
    ['notes.csv', 'name,phone,call_id,call_cost\r\nAl,1,2,3\r\n'],
    ['notes.jsonl', '{"name":"Al","call_id":"7"}\n'],
    ['notes.html', '<!doctype html><title>Notes</title>\n'],
    ['notes.txt', 'buy milk\n'],
    ['notes.xlsx', 'PK\u0003\u0004 something else that is packed'],
    ['half.csv', '"a header that never ends, call_phone\r\n'],
  ] as const;

  let ready: ReturnType<typeof called> | undefined;
  it.each(FOREIGN)('is not replaced without --force: %s', async (name, text) => {
    const { at, service } = await (ready ??= called(untilAll));
    at.write(`more-${name}`, 'name,phone\nEve,+12125550104\n');
    at.write(name, text);
    const calls = service.dialled.length;
    const run = [
      'run',
      `more-${name}`,
      '--agent',
      'ag_1',
      '--set',
      'polling.floor=20ms',
      '-o',
      name,
    ];
    for (const argv of [['export', 'leads', '-o', name], ['report', 'leads', '-o', name], run]) {
      const { code, err } = await at.run(argv);
      expect([argv, code, err]).toEqual([argv, 2, expect.stringContaining('--force')]);
      expect(err).toContain(`${at.path(name)} is there already`);
    }
    expect(at.read(name)).toBe(text);
    expect(service.dialled).toHaveLength(calls);
    const forced = await at.run([...run, '--format', 'csv', '--force']);
    expect(forced.code).toBe(0);
    expect(at.read(name)).toContain('+12125550104');
  });

  it('is left alone where it appears while people are called; the results are in the database', async () => {
    const { at } = await called();
    at.write('more.csv', `name,phone\nEve,${PHONES[0] ?? ''}\n`);
    const { io, ended } = at.begin([...RUN, '--name', 'more', '-o', 'mine.csv']);
    await io.written('3 waiting');
    at.write('mine.csv', 'buy milk\n');
    const { code, err } = await ended;
    expect(code).toBe(2);
    expect(err).toContain('`npx callsheet export more --force` replace it this once');
    expect(at.read('mine.csv')).toBe('buy milk\n');
    expect((await at.run(['export', 'more', '--force'])).code).toBe(0);
    expect(at.read('mine.csv')).toContain('call_phone');
  });
});

describe('serve', () => {
  it('calls nobody for results that would replace a file of somebody else, and goes on once it is gone', async () => {
    const { at, service } = await aDesk();
    at.write('mine.csv', 'buy milk\n');
    const flags = ['--agent', 'ag_1', '--set', 'polling.floor=20ms', '-o', 'mine.csv'];
    expect((await at.run(['import', 'spring', 'leads.csv', ...flags])).code).toBe(0);
    expect((await at.run(['resume', 'spring'])).code).toBe(0);
    const argv = ['serve', '--port', '0', '--service-url', service.url];
    const { io, ended } = at.begin(argv, { clock: hastyClock(100) });

    await io.written('Nobody is called until then');
    expect(io.err()).toContain(`spring: ${at.path('mine.csv')} is there already`);
    expect(service.dialled).toEqual([]);
    expect(at.read('mine.csv')).toBe('buy milk\n');
    rmSync(at.path('mine.csv'));
    await io.written('completed; results:');
    io.signal();

    expect((await ended).code).toBe(0);
    expect(at.read('mine.csv')).toContain('call_phone');
    expect(io.err().split('Nobody is called until then')).toHaveLength(2);
  });
});

describe('what callsheet wrote itself', () => {
  const OUTPUTS: [what: string, argv: string[]][] = [
    ['csv', ['export', 'leads', '-o', 'out.csv']],
    ['csv for a spreadsheet', ['export', 'leads', '-o', 'excel.csv', '--format', 'excel']],
    ['jsonl', ['export', 'leads', '-o', 'out.jsonl']],
    ['a workbook', ['export', 'leads', '-o', 'out.xlsx']],
    ['a row per attempt', ['export', 'leads', '--per', 'attempt', '-o', 'attempts.csv']],
    ['some columns', ['export', 'leads', '-o', 'some.csv', '--columns', 'name,call_phone']],
    ['a report', ['report', 'leads', '-o', 'out.html']],
    ['captured leads', ['export', 'leads', '--captured-leads', '-o', 'captured.csv']],
    ['no captured leads', ['export', 'leads', '--captured-leads', '-o', 'captured.jsonl']],
  ];

  it('is replaced as often as wanted, with any database', async () => {
    const { at } = await called();
    const written = async () => {
      for (const [what, argv] of OUTPUTS) {
        const { code, err } = await at.run(argv);
        const [name = ''] = argv.filter((word) => /\.\w+$/.test(word));
        expect([what, code, err]).toEqual([what, 0, expect.stringContaining(name)]);
        // A file that came back from a backup has another inode.
        const bytes = readFileSync(at.path(name));
        rmSync(at.path(name));
        writeFileSync(at.path(name), bytes);
      }
    };
    await written();
    await written();
    // A database that was made anew knows nothing of the files.
    rmSync(at.path('data'), { recursive: true });
    expect((await at.run(RUN)).code).toBe(0);
    await written();
  });

  it('is replaced night after night by results.file', async () => {
    const { at } = await aDesk();
    at.write('spring.yaml', 'leads: leads.csv\nagent: ag_1\nresults: { file: nightly.csv }\n');
    for (let night = 0; night < 3; night++) {
      const { code } = await at.run(['run', 'spring.yaml', '--set', 'polling.floor=20ms']);
      expect(code).toBe(0);
    }
    expect(at.read('nightly.csv')).toContain('call_phone');
  });
});
