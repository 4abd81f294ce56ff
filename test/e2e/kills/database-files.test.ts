import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { until } from '../../helpers/until.ts';
import { gate, voiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = Array.from({ length: 6 }, (_, i) => `+1212555010${i}`);
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
const ONE_BY_ONE = ['--concurrency', '1'];

async function aDesk() {
  const service = await voiceServer();
  return { at: deskAt(service.url), service };
}

function deskAt(url: string): Desk {
  const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  return at;
}

/** A run that is held at its second dial, whose answer comes when `go` is called. */
async function aHeldRun(db: string) {
  const held = gate();
  const service = await voiceServer({
    dial: async (_, callId, count) => {
      if (count === 2) await held.pass();
      return { body: { call_id: callId } };
    },
  });
  const at = deskAt(service.url);
  const clock = hastyClock(20);
  const { ended } = at.begin([...RUN, ...ONE_BY_ONE, '--db', db], { clock });
  await held.waiting(1);
  const go = () => {
    held.open();
    return ended;
  };
  return { at, service, go };
}

describe('a database that is reached by two names', () => {
  it.each([
    ['a link to the file', 'link.db'],
    ['a folder that is a link', 'linked/real.db'],
  ])('(%s) has one journal: an old copy put back calls nobody twice', async (_, link) => {
    const { at, service } = await aDesk();
    mkdirSync(at.path('data'));
    symlinkSync('data', at.path('linked'));
    symlinkSync('data/real.db', at.path('link.db'));
    await at.run([...RUN, '--db', 'data/real.db', '--limit', '1']);
    copyFileSync(at.path('data/real.db'), at.path('old.db'));

    await at.run([...RUN, '--db', link, '--limit', '3']);
    expect(service.dialled).toHaveLength(4);
    renameSync(at.path('old.db'), at.path('data/real.db'));
    const ended = await at.run([...RUN, '--db', 'data/real.db']);

    expect(ended.err).toContain('3 calls that it no longer knew came back as unknown');
    expect(service.dialled.toSorted()).toEqual(PHONES);
    expect(at.has('link.db.dials')).toBe(false);
  });

  it('by hard links is refused, with the names, and a restored copy of it is not', async () => {
    const { at, service } = await aDesk();
    await at.run([...RUN, '--db', 'real.db', '--limit', '1']);
    linkSync(at.path('real.db'), at.path('other.db'));

    for (const argv of [
      [...RUN, '--db', 'other.db'],
      ['pause', 'leads', '--db', 'real.db'],
    ]) {
      const ended = await at.run(argv);
      expect(ended.code).toBe(2);
      expect(ended.err).toMatch(/has another name \(a hard link\): .*\.db\..*\n {2}next: remove/s);
    }
    expect(service.dialled).toHaveLength(1);
    await at.run(['backup', 'copy.db', '--db', 'real.db']);
    expect((await at.run(['restore', 'copy.db', '--db', 'real.db'])).code).toBe(0);
    expect((await at.run([...RUN, '--db', 'real.db'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('and has a journal beside each is refused until they are joined as the message says', async () => {
    const { at, service } = await aDesk();
    await at.run([...RUN, '--db', 'real.db', '--limit', '2']);
    symlinkSync('real.db', at.path('link.db'));
    renameSync(at.path('real.db.dials'), at.path('link.db.dials'));

    const refused = await at.run([...RUN, '--db', 'link.db']);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain('has two dial journals');
    expect(service.dialled).toHaveLength(2);

    writeFileSync(at.path('real.db.dials'), readFileSync(at.path('link.db.dials')));
    rmSync(at.path('link.db.dials'));
    expect((await at.run([...RUN, '--db', 'link.db'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});

describe('a run whose files go away', () => {
  it.each([
    [
      'database is deleted',
      'calls.db',
      (path: string) => {
        rmSync(path);
      },
      /database \S+calls\.db was/,
    ],
    [
      'database is replaced',
      'calls.db',
      (path: string) => {
        copyFileSync(path, `${path}.new`);
        renameSync(`${path}.new`, path);
      },
      /database \S+calls\.db was/,
    ],
    ['folder is moved', 'data/calls.db', moveFolder, /database \S+calls\.db was/],
    [
      'log is deleted',
      'calls.db',
      (path: string) => {
        rmSync(`${path}-wal`);
      },
      /log \S+-wal was/,
    ],
    [
      'journal is deleted',
      'calls.db',
      (path: string) => {
        rmSync(`${path}.dials`);
      },
      /dial journal \S+\.dials was/,
    ],
  ])('as its %s ends with exit 5, names it, and calls nobody more', async (_, db, does, said) => {
    const { at, service, go } = await aHeldRun(db);
    does(at.path(db));
    await until(() => at.has(`${db}.saved`));
    const ended = await go();

    expect(ended.code).toBe(5);
    expect(ended.err).toMatch(said);
    expect(ended.err).toMatch(/saved in \S+calls\.db\.saved: `/);
    expect(service.dialled).toHaveLength(2);
  });

  it.each(['.dials', '.saved', '.saved-2', '.ballast', '-wal', '-shm', '-journal'])(
    'leaves %s, beside which no command makes a new database',
    async (rest) => {
      const { at, service } = await aDesk();
      at.write(`calls.db${rest}`, 'x');
      for (const argv of [RUN, [...RUN, '--new-db'], ['import', 'leads', ...RUN.slice(1)]]) {
        const { code, err } = await at.run([...argv, '--db', 'calls.db']);
        expect({ code, err }).toMatchObject({ code: 5 });
        expect(err).toContain(`calls.db${rest} is still beside it`);
        expect(err).toContain('callsheet restore ');
      }
      expect(at.has('calls.db')).toBe(false);
      expect(service.dialled).toEqual([]);
    },
  );

  it('has saved what it knew: restored, nobody is called twice and nobody is missing', async () => {
    const { at, service, go } = await aHeldRun('calls.db');
    for (const end of ['', '-wal', '-shm', '.dials']) rmSync(at.path(`calls.db${end}`));
    await go();
    const dialled = service.dialled.length;
    // The same command again makes no new database, which would call everybody a second time.
    const refused = await at.run([...RUN, '--db', 'calls.db']);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain(
      `\`mv ${at.path('calls.db.saved.dials')} ${at.path('calls.db.dials')} && callsheet restore ${at.path('calls.db.saved')} --db ${at.path('calls.db')}\``,
    );
    expect(service.dialled).toHaveLength(dialled);
    expect(at.has('calls.db')).toBe(false);

    const lost = await at.run(['restore', 'calls.db.saved', '--db', 'calls.db']);
    expect(lost.err).toContain('missing, cut short or overwritten');
    renameSync(at.path('calls.db.saved.dials'), at.path('calls.db.dials'));
    expect((await at.run(['restore', 'calls.db.saved', '--db', 'calls.db'])).code).toBe(0);
    const last = await at.run([...RUN, '--db', 'calls.db']);

    expect(last.code).toBe(0);
    expect(dialled).toBe(2);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});

function moveFolder(path: string): void {
  const folder = path.slice(0, path.lastIndexOf('/'));
  renameSync(folder, `${folder}.moved`);
}
