import { describe, expect, it } from 'vitest';
import { aDesk, PHONES, RUN } from '../desk.ts';

describe('import', () => {
  it('makes a campaign and calls nobody; resume confirms it, run calls', async () => {
    const { at, service } = await aDesk();
    const imported = await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain('5 rows, 3 added, 1 rejected, 1 duplicate;');
    expect(imported.err).toContain(
      'Campaign "spring" (draft): 3 leads wait; `npx callsheet run spring` calls them.',
    );
    const again = await at.run(['import', 'spring', 'leads.csv']);
    expect(again.err).toContain('All of leads.csv is in "spring" already.');
    const started = await at.run(['resume', 'spring']);
    expect(started.err).toContain(
      'Campaign "spring" is started; `npx callsheet run spring` calls.',
    );
    expect(service.dialled).toEqual([]);
    expect((await at.run(['run', 'spring', '--set', 'polling.floor=20ms'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('is read to its end where an earlier list had no yes in its column of consents', async () => {
    const { at } = await aDesk();
    const list = (...cells: string[]) =>
      `phone,Consent\n${cells.map((cell, n) => `+1212555010${n},${cell}\n`).join('')}`;
    at.write('a.csv', list('denied', 'denied', '', ''));
    at.write('b.csv', list('yes', 'yes', 'no', 'no'));
    await at.run(['import', 'spring', 'a.csv', '--agent', 'ag_1']);
    const { err } = await at.run(['import', 'spring', 'b.csv', '--yes']);
    expect(err).toContain('b.csv');
  });

  it('takes the mended rows back from the rejects file that it named', async () => {
    const { at, service } = await aDesk();
    const { err } = await at.run(RUN);
    const path = / {2}npx callsheet import leads (\S+)\n/.exec(err)?.[1] ?? '';
    const name = path.slice(at.cwd.length + 1);
    at.write(name, at.read(name).replace('n/a', '+12125550109'));
    const imported = await at.run(['import', 'leads', path]);
    expect(imported.err).toContain('1 lead waits; `npx callsheet run leads` calls them');
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled).toHaveLength(4);
    expect(service.dialled).toContain('+12125550109');
  });

  it('is started by resume also where it was paused before', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    await at.run(['pause', 'spring']);
    const started = await at.run(['resume', 'spring']);
    expect(started.code).toBe(0);
    expect(started.err).toContain('Campaign "spring" is resumed; `npx callsheet run spring` calls');
  });
});

describe('resume', () => {
  it('starts a campaign that is completed but for people who came later, and no cancelled one', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    at.write('more.csv', 'name,phone\nFay,+12125550150\n');
    expect((await at.run(['import', 'leads', 'more.csv'])).code).toBe(0);
    expect((await at.run(['resume', 'leads'])).err).toContain('Campaign "leads" is started;');
    await at.run(['cancel', 'leads', '--yes']);
    const over = await at.run(['resume', 'leads']);
    expect([over.code, over.err]).toEqual([
      0,
      'Campaign "leads" is cancelled, not paused: nothing to resume. `npx callsheet cancel leads --undo` takes that back.\n',
    ]);
    const { out, err } = await at.run(['status', 'leads']);
    expect(out).toMatch(/^leads +cancelled +- +0 /m);
    expect(err).toContain('0 in progress, 1 not called\n');
    expect(err).not.toContain('who waits');
  });
});
