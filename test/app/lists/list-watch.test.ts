import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SOURCE_DEFAULTS } from '../../../src/domain/lists/list-mapping.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aFolder, ENTRY, insteadOf, listOf } from './a-folder.ts';

describe('a folder of lists', () => {
  it('is taken: its people wait, the list is moved with its rejected rows', async () => {
    const { put, process, waiting, names } = await aFolder();
    put('a.csv', `${listOf(1, 2)}no number\n`);

    const { look, said } = process();
    await look();

    expect(await waiting()).toBe(2);
    expect(names()).toEqual(['taken']);
    expect(names('taken')).toEqual(['a.csv', 'a.csv.rejects.csv']);
    expect(said()).toContain('2 added');
  });

  it('leaves a file alone that still grows, and takes it once it is unchanged for 5 s', async () => {
    const { put, folder, clock, process, waiting, names } = await aFolder();
    put('a.csv', listOf(1));
    const { look, begin } = process();
    const first = begin();
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    appendFileSync(join(folder, 'a.csv'), `${aPhone(2)}\n`);
    await clock.advance(5_000);
    await first;

    expect(await waiting()).toBe(0);
    expect(names()).toEqual(['a.csv']);

    await look();
    expect(await waiting()).toBe(2);
  });

  it('takes a list at once that is marked as done, but not by the mark of an earlier list', async () => {
    const { put, folder, process, clock, waiting, names } = await aFolder();
    put('a.csv', listOf(1));
    put('a.csv.done', '');
    put('b.csv', listOf(2));
    put('b.csv.done', '');
    utimesSync(join(folder, 'b.csv.done'), 1_000, 1_000);

    const looking = process().begin();
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    rmSync(join(folder, 'b.csv'));
    await clock.advance(5_000);
    await looking;

    expect(await waiting()).toBe(1);
    expect(names('taken')).toEqual(['a.csv', 'a.csv.done']);
  });

  it('leaves hidden, temporary and foreign names, empty files and folders alone', async () => {
    const { put, folder, process, waiting, names } = await aFolder();
    const left = ['.a.csv', '.~lock.a.csv#', 'a.csv.crdownload', 'a.csv.part', 'a.csv.tmp'];
    const more = ['callsheet.db', 'notes.md', '~$a.xlsx'];
    for (const name of [...left, ...more]) put(name, listOf(1));
    put('empty.csv', '');
    mkdirSync(join(folder, 'folder.csv'));

    const { look, said } = process();
    await look();
    await look();

    expect(await waiting()).toBe(0);
    expect(names()).toEqual([...left, ...more, 'empty.csv', 'folder.csv'].sort());
    expect(said()).toBe('');
  });

  it('takes what a glob names, whatever its capitals', async () => {
    const { put, folder, store, campaign, process, waiting, names } = await aFolder();
    put('North-1.CSV', listOf(1));
    put('south-1.csv', listOf(2));
    const sources = { ...SOURCE_DEFAULTS, from: [join(folder, 'north-*.csv')] };
    campaign.settings = { ...campaign.settings, sources };
    await store.changeCampaign(campaign.id, { settings: campaign.settings }, ENTRY);

    await process().look();

    expect(await waiting()).toBe(1);
    expect(names()).toEqual(['south-1.csv', 'taken']);
  });

  it('refuses a list in a wrong shape with its reason, tells it, and takes the others', async () => {
    const { put, process, waiting, names, folder, refused } = await aFolder();
    put('1-bad.csv', 'name,city\nAl,Boston\n');
    put('2-binary.csv', '%PDF-1.7\n\u0000\u0001\u0002');
    put('3-good.csv', listOf(1));

    const { look, said } = process();
    await look();

    expect(await waiting()).toBe(1);
    expect(names()).toEqual(['refused', 'taken']);
    expect(names('refused')).toContain('1-bad.csv');
    const reason = readFileSync(join(folder, 'refused/1-bad.csv.refused.txt'), 'utf8');
    expect(reason).toMatch(/^LIST_HAS_NO_PHONE_COLUMN: .*\nNext: /);
    expect(refused.map(({ path }) => path.slice(folder.length + 1))).toEqual([
      '1-bad.csv',
      '2-binary.csv',
    ]);
    expect(said().match(/is refused:/g)).toHaveLength(2);
  });

  it('takes a refused list again when it is put back', async () => {
    const { put, process, waiting, names, refused } = await aFolder();
    put('a.csv', 'name\nAl\n');
    const { look } = process();
    await look();
    put('a.csv', 'name\nAl\n');
    await look();

    expect(refused).toHaveLength(2);
    expect(await waiting()).toBe(0);
    expect(names('refused').filter((name) => name.endsWith('.csv'))).toEqual(['a-2.csv', 'a.csv']);
  });

  it('adds nobody for the same list under another name, and says so', async () => {
    const { put, process, waiting, names, store, campaign } = await aFolder();
    put('a.csv', listOf(1));
    const { look, said } = process();
    await look();
    await store.cancelWaiting(campaign.id, [aPhone(1)], 'left_list');
    put('b.csv', listOf(1));
    await look();

    expect(await waiting()).toBe(0);
    expect(names('taken')).toEqual(['a.csv', 'b.csv']);
    expect(said()).toMatch(
      /b\.csv has the same content as .*a\.csv, which was taken .*: nobody is added/,
    );
  });

  it('leaves lists in place with after: keep, and takes the same content once', async () => {
    const { put, process, waiting, names } = await aFolder({ after: 'keep' });
    put('a.csv', listOf(1));
    put('bad.csv', 'name\nAl\n');
    const first = process();
    await first.look();
    await first.look();
    const second = process();
    await second.look();

    expect(await waiting()).toBe(1);
    expect(names()).toEqual(['a.csv', 'bad.csv']);
    expect(first.said().match(/is refused/g)).toHaveLength(1);
    expect(second.said()).toBe('');
  });

  it('refuses a link that leads out of the folder, and never reads what it leads to', async () => {
    const { cwd, folder, process, waiting, names, refused } = await aFolder();
    writeFileSync(join(cwd, 'secret.csv'), listOf(1));
    symlinkSync(join(cwd, 'secret.csv'), join(folder, 'link.csv'));

    await process().look();

    expect(await waiting()).toBe(0);
    expect(existsSync(join(cwd, 'secret.csv'))).toBe(true);
    expect(names('refused')).toContain('link.csv');
    expect(refused).toMatchObject([{ code: 'LIST_IS_LINK' }]);
  });

  it('takes lists as complete ones with leadsMode: sync, and refuses one that would empty the campaign', async () => {
    const { put, process, store, campaign, refused } = await aFolder({ mode: 'sync' });
    put('a.csv', listOf(1, 2, 3, 4, 5, 6));
    const { look } = process();
    await look();
    put('b.csv', listOf(1, 2, 3, 4, 5));
    await look();
    expect(await store.waitingPhones(campaign.id, null, 9)).toHaveLength(5);
    put('c.csv', listOf(1));
    await look();

    expect(await store.waitingPhones(campaign.id, null, 9)).toHaveLength(5);
    expect(refused).toMatchObject([{ code: 'NOT_CONFIRMED' }]);
  });
});

it.each([
  ['sync', 'Nobody leaves or comes back for it, either: `npx callsheet import spring '],
  ['add', null],
] as const)(
  'an earlier content that comes again is told, with leadsMode: %s with what it does not do',
  async (mode, said) => {
    const { put, process, folder } = await aFolder({ mode });
    const one = process();
    for (const people of [
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 7],
    ]) {
      put(`${people.join('')}.csv`, listOf(...people));
      await one.look();
    }
    const again = process();
    put('c.csv', listOf(1, 2, 3, 4, 5, 7));
    await again.look();
    expect(again.said()).not.toContain('Nobody leaves');
    put('d.csv', listOf(1, 2, 3, 4, 5, 6));
    await again.look();
    expect(again.said()).toContain(`${join(folder, 'd.csv')} has the same content as`);
    if (said === null) expect(again.said()).not.toContain('Nobody leaves');
    else expect(again.said()).toContain(`${said}${join(folder, 'taken', 'd.csv')} --sync\``);
  },
);

describe('a process that ends while it takes a list', () => {
  const killed = () => Promise.reject(Object.assign(new Error('killed'), { code: 'STORE_GONE' }));
  const STEPS = [
    ...(['claimWatched', 'beginList', 'addLeads'] as const),
    ...(['finishList', 'endWatched', 'watchedMoved'] as const),
  ];

  for (const when of ['before', 'after'] as const) {
    it.each(STEPS)(`${when} %s leaves a list that the next one takes once`, async (step) => {
      const { put, process, waiting, names, store, campaign } = await aFolder();
      put('a.csv', `${listOf(1, 2)}no number\n`);
      const dying = insteadOf(step, async (call) => {
        if (when === 'after') await call();
        return killed();
      });
      await expect(process(dying).look()).rejects.toThrow('killed');

      await process().look();
      await process().look();

      expect(await waiting()).toBe(2);
      expect(await store.lists(campaign.id)).toHaveLength(1);
      expect((await store.lists(campaign.id))[0]?.finishedAt).not.toBeNull();
      expect(names()).toEqual(['taken']);
      expect(names('taken').filter((name) => !name.includes('rejects'))).toEqual(['a.csv']);
    });
  }

  it('has its copy imported when the file itself has gone or was replaced meanwhile', async () => {
    const { put, process, waiting, names } = await aFolder();
    put('a.csv', listOf(1, 2));
    await expect(process(insteadOf('finishList', killed)).look()).rejects.toThrow('killed');
    put('a.csv', listOf(3));

    await process().look();

    expect(await waiting()).toBe(3);
    expect(names('taken')).toEqual(['a.csv']);
  });

  it('goes on between the two names of a file that is being moved', async () => {
    const { put, folder, process, waiting, names } = await aFolder();
    put('a.csv', listOf(1));
    mkdirSync(join(folder, 'taken'));
    linkSync(join(folder, 'a.csv'), join(folder, 'taken/a.csv'));

    await process().look();

    expect(await waiting()).toBe(1);
    expect(names()).toEqual(['taken']);
    expect(names('taken')).toEqual(['a.csv']);
  });
});

describe('two processes at one folder', () => {
  it('take each list once', async () => {
    const { put, folder, process, waiting, names, store, campaign } = await aFolder();
    for (let n = 0; n < 10; n++) {
      put(`${n}.csv`, listOf(n));
      put(`${n}.csv.done`, '');
    }
    // Both have seen that nobody takes the first list before either claims it.
    const meet = meetingOf(2);
    const meeting = insteadOf('claimWatched', async (call) => {
      await meet();
      return call();
    });
    const one = process(meeting, globalThis.process.pid);
    const two = process(meeting, globalThis.process.ppid);
    // A look gives up after a minute of the virtual clock while the other process imports; the next one goes on.
    const isLeft = () => names().some((name) => name.endsWith('.csv'));
    for (let looks = 0; looks === 0 || (looks < 20 && isLeft()); looks++)
      await Promise.all([one.look(), two.look()]);

    expect(await waiting()).toBe(10);
    const lists = await store.lists(campaign.id);
    expect(new Set(lists.map(({ sha256 }) => sha256)).size).toBe(10);
    const told = one.said() + two.said();
    expect(told.match(/1 added/g)).toHaveLength(10);
    expect(told).not.toContain('in the campaign already');
    expect(readdirSync(folder)).toEqual(['taken']);
    expect(names('taken').filter((name) => name.endsWith('.csv'))).toHaveLength(10);
  });
});

it.each([
  ['taken', 'phone\n+12005550101\n'],
  ['refused', 'name,city\nAl,Boston\n'],
])('a list that another process has claimed since is not %s by the slow one', async (_, list) => {
  const { put, process, names, store, campaign } = await aFolder();
  put('a.csv', list);
  const other = { host: 'host-2', boot: 'boot-2', pid: 9, seenAt: 0 };
  const slow = insteadOf('endWatched', async (call, real) => {
    const [row] = await real.watchedLists(campaign.id);
    if (row !== undefined) await real.claimWatched(campaign.id, { ...row, taker: other }, row);
    return call();
  });

  await process(slow).look();

  expect(await store.watchedLists(campaign.id)).toMatchObject([{ state: 'taking', taker: other }]);
  expect(names()).toEqual(['a.csv']);
});

/** Resolves once so many have come, and at once from then on. */
function meetingOf(expected: number) {
  let come = 0;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    come += 1;
    if (come >= expected) open();
    await all;
  };
}

describe('a file that becomes another one', () => {
  it('while it is taken stays, and is taken as a list of its own', async () => {
    const { put, folder, process, waiting, names } = await aFolder();
    put('a.csv', listOf(1));
    const replacing = insteadOf('endWatched', async (call) => {
      if (!existsSync(join(folder, 'b'))) {
        put('b', listOf(2));
        renameSync(join(folder, 'b'), join(folder, 'a.csv'));
      }
      return call();
    });
    await process(replacing).look();
    expect(await waiting()).toBe(1);
    expect(names()).toContain('a.csv');

    await process().look();
    expect(await waiting()).toBe(2);
  });
});
