import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Desk } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { breakOff } from '../../../helpers/files/broken-import.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { thisProcess } from '../../../../src/runtime/process.ts';
import { change } from '../../../store/sqlite/database.ts';
import { aDesk, json, PHONES, listed } from '../desk.ts';

const IMPORT = ['import', 'spring', 'leads.csv', '--agent', 'ag_1'];
const RUN = ['run', 'spring', '--set', 'polling.floor=20ms'];
const NEW = '+12125550150';
const LATE = '+12125550151';

/** The list of the desk was imported down to its second person when the process died. */
async function halfImported() {
  const { at, service } = await aDesk();
  expect((await at.run(IMPORT)).code).toBe(0);
  breakOff(at, 3);
  return { at, service };
}

async function waiting(at: Desk): Promise<number> {
  const [first] = (await listed(at)) as { waiting: number }[];
  return first?.waiting ?? -1;
}

describe('an import that was broken off', () => {
  it('goes on with the next run of the campaign, which calls everybody once', async () => {
    const { at, service } = await halfImported();
    const { code, err } = await at.run(RUN);
    expect(err).toContain('5 rows, 1 added, 2 were there already, 1 rejected, 1 duplicate;');
    expect(code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    expect((await at.run(RUN)).err).toContain('Every lead is final.');
    expect(service.dialled).toHaveLength(3);
  });

  it('is told by status and list, with the command that goes on', async () => {
    const { at } = await halfImported();
    const broken = `The import of ${at.path('leads.csv')}, begun `;
    const goesOn =
      'was broken off: nobody is called until all its rows are in. `npx callsheet run spring` goes on with it.';
    for (const argv of [['status', 'spring'], ['list']]) {
      const { err } = await at.run(argv);
      expect(err).toContain(broken);
      expect(err).toContain(goesOn);
    }
    const shown = (await json(at, ['status', 'spring'])) as { heldUpBy: string };
    expect(shown.heldUpBy).toContain('was broken off');
  });

  it('goes on with start, too', async () => {
    const { at, service } = await halfImported();
    const { code, err } = await at.run(['resume', 'spring']);
    expect([code, err]).toEqual([0, expect.stringContaining('is started; `npx callsheet run')]);
    expect(await waiting(at)).toBe(3);
    expect(service.dialled).toEqual([]);
  });

  it.each([
    ['gone', 'The file is not there any more: put it back'],
    ['changed', 'The file has changed since: put it back as it was'],
    ['changed and as long as it was', 'The file has changed since: put it back as it was'],
    ['from standard input', '`npx callsheet import spring -` with the same bytes goes on with it'],
  ])('whose list is %s ends every command at once with what to do', async (what, said) => {
    const { at, service } = await halfImported();
    if (what === 'gone') rmSync(at.path('leads.csv'));
    if (what === 'changed') at.write('leads.csv', `name,phone\nFay,${NEW}\n`);
    if (what.endsWith('was')) at.write('leads.csv', at.read('leads.csv').replace('Al', 'Ax'));
    if (what === 'from standard input') {
      change(at.path('data/callsheet.db'), "UPDATE lists SET path = 'stdin'");
    }
    const run = await at.run(RUN);
    expect([run.code, run.err]).toEqual([5, expect.stringContaining(said)]);
    expect(run.err).toContain('--instead` takes another list instead');
    const start = await at.run(['resume', 'spring']);
    expect([start.code, start.err]).toEqual([5, expect.stringContaining(said)]);
    expect((await at.run(['status', 'spring'])).err).toContain(said);
    expect(await listed(at)).toMatchObject([{ state: 'draft', waiting: 2 }]);
    expect(service.dialled).toEqual([]);
  });

  it('gives way to another list with --instead: who is not on that one is not called', async () => {
    const { at, service } = await halfImported();
    at.write('leads.csv', `name,phone\nBo,${PHONES[1] ?? ''}\nFay,${NEW}\n`);
    const refused = await at.run(['run', 'leads.csv', '--name', 'spring', '--add']);
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('has changed since')]);
    const { code, err } = await at.run([...IMPORT, '--instead']);
    expect([code, err]).toEqual([0, expect.stringContaining('2 leads of it cancelled.')]);
    expect(err).toContain('1 person who had left the list is back and waits again.');
    expect((await at.run(RUN)).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([PHONES[1], NEW]);
  });

  it('of a second list goes on when the first one is run again', async () => {
    const { at, service } = await aDesk();
    await at.run(IMPORT);
    at.write('more.csv', `name,phone\nFay,${NEW}\nGil,${LATE}\n`);
    await at.run(['import', 'spring', 'more.csv']);
    breakOff(at, 2);
    const { code } = await at.run(['run', 'leads.csv', '--name', 'spring', ...RUN.slice(2)]);
    expect(code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([...PHONES, NEW, LATE]);
  });

  it('with --sync takes nobody out before its list is in, and then whoever is not on it', async () => {
    const { at, service } = await aDesk();
    await at.run(IMPORT);
    at.write('tonight.csv', `name,phone\nFay,${NEW}\nBo,${PHONES[1] ?? ''}\n`);
    const sync = ['import', 'spring', 'tonight.csv', '--sync', '--yes'];
    await at.run(sync);
    // The process died before the last transaction: nobody had left.
    change(
      at.path('data/callsheet.db'),
      `UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL, reason = NULL`,
    );
    breakOff(at, 2);
    expect(await waiting(at)).toBe(4);
    const { code, err } = await at.run(RUN);
    expect([code, err]).toEqual([0, expect.stringContaining('2 waiting leads not on this list')]);
    expect(service.dialled.toSorted()).toEqual([PHONES[1], NEW]);
  });

  it('is said once by serve, which goes on with everything else', async () => {
    const { at, service } = await aDesk();
    await at.run(IMPORT);
    await at.run(['resume', 'spring']);
    breakOff(at, 3);
    const argv = ['serve', '--port', '0', '--service-url', service.url];
    const { io, ended } = at.begin(argv, { clock: hastyClock(20) });
    await io.written('spring: The import of');
    await at.run(['import', 'other', 'leads.csv', '--agent', 'ag_1']);
    await at.run(['resume', 'other']);
    await io.written('other: completed');
    io.signal();
    expect((await ended).code).toBe(0);
    expect(io.err().match(/was broken off/g)).toHaveLength(1);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});

describe('an import that goes on in another process', () => {
  it('is told from one that was broken off, and the run waits for its end', async () => {
    const { at, service } = await aDesk();
    await at.run(IMPORT);
    breakOff(at, 4);
    const store = openSqliteStore({ path: at.path('data/callsheet.db'), mode: 'write' });
    const { id } = (await store.findCampaign('spring')) ?? { id: '' };
    const [list] = await store.lists(id);
    await store.importSeen(list?.id ?? '', thisProcess(), systemClock.now());

    const goesOn = `The import of ${at.path('leads.csv')} goes on (pid ${process.pid} on `;
    expect((await at.run(['status', 'spring'])).err).toContain(goesOn);
    const { io, ended } = at.begin(RUN);
    await io.written(goesOn);
    await io.written('3 waiting');
    expect(service.dialled).toEqual([]);
    await store.finishList(list?.id ?? '', { good: 3, rejected: 1, duplicates: 1 });
    await store.close();
    expect((await ended).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});
