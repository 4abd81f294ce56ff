import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Desk } from '../../../helpers/callsheet.ts';
import { aDesk, json, NOT_YET, oneOpen, PHONES, RUN } from '../desk.ts';

describe('backup', () => {
  it('writes one file while a campaign runs, and says what it holds', async () => {
    const { at } = await aDesk(NOT_YET);
    const { io, ended } = at.begin([...RUN, '--limit', '1']);
    await io.written('3 waiting');
    await oneOpen(at);

    const { code, err } = await at.run(['backup', 'copies/monday.db']);

    expect(code).toBe(0);
    expect(err).toMatch(
      /^Backup of \S+callsheet\.db: \S+monday\.db holds 1 campaign, 3 leads and 1 attempt; /,
    );
    io.signal();
    io.signal();
    expect((await ended).code).toBe(130);
    expect(readdirSync(at.path('copies'))).toEqual(['monday.db']);
  });

  it('replaces a file only with --force', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    at.write('monday.db', 'something else');

    const refused = await at.run(['backup', 'monday.db']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('--force');
    expect(at.read('monday.db')).toBe('something else');

    expect(await json(at, ['backup', 'monday.db', '--force'])).toMatchObject({
      file: at.path('monday.db'),
      campaigns: 1,
      leads: 3,
      attempts: 0,
    });
  });
});

describe('restore', () => {
  it('puts the backup in place; who was called since is in doubt, and is not called again', async () => {
    const { at, service } = await aDesk();
    await backedUp(at);
    expect((await at.run([...RUN, '--limit', '1'])).code).toBe(3);
    expect(service.dialled).toHaveLength(1);

    const { code, err } = await at.run(['restore', 'monday.db']);

    expect(code).toBe(0);
    expect(err).toMatch(/Restored \S+ from \S+monday\.db: 1 campaign, 3 leads and 0 attempts\./);
    expect(err).toMatch(/The database that was there is now \S+callsheet\.db\.replaced-\d{4}-/);
    expect(err).toContain('1 call that it had forgotten came back from the dial journal');
    expect(await json(at, ['status', 'leads'])).toMatchObject({ unknown: 1, waiting: 2 });
    expect((await at.run(RUN)).code).toBe(5);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('of the newest backup says that nothing was forgotten', async () => {
    const { at } = await aDesk();
    await backedUp(at);

    expect(await json(at, ['restore', 'monday.db'])).toMatchObject({ recovered: 0, leads: 3 });
    expect((await at.run(['restore', 'monday.db'])).err).toContain(
      'no call has been made since that backup',
    );
  });

  it('is refused while a campaign runs', async () => {
    const { at } = await aDesk(NOT_YET);
    await backedUp(at);
    const { io, ended } = at.begin([...RUN, '--limit', '1']);
    await io.written('3 waiting');
    await oneOpen(at);

    const { code, err } = await at.run(['restore', 'monday.db']);

    expect(code).toBe(1);
    expect(err).toContain('Another callsheet is using the database');
    io.signal();
    io.signal();
    await ended;
    expect(await json(at, ['status', 'leads'])).toMatchObject({ open: 1 });
  });

  it('names a backup that is not there', async () => {
    const { at } = await aDesk();

    const { code, err } = await at.run(['restore', 'tuesday.db']);

    expect(code).toBe(2);
    expect(err).toContain(at.path('tuesday.db'));
    expect(at.has('data')).toBe(false);
  });
});

/** The list imported as campaign `leads`, nobody called yet, and a backup of that. */
async function backedUp(at: Desk): Promise<void> {
  await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
  expect((await at.run(['backup', 'monday.db'])).code).toBe(0);
}
