import { describe, expect, it } from 'vitest';
import { aDesk, json, leftOpen, NOT_YET, oneOpen, PHONES, RUN, listed } from '../desk.ts';

const REHEARSAL = ['run', 'leads.csv', '--service', 'simulated', '--country', 'US'];

/** A desk whose only campaign has called everybody. */
async function called() {
  const made = await aDesk();
  expect((await made.at.run(RUN)).code).toBe(0);
  return made;
}

describe('rename', () => {
  it('keeps whom it has called and its history, and says where the results go', async () => {
    const { at, service } = await called();
    const { code, err } = await at.run(['set', 'leads', 'name=spring renewals']);
    expect(code).toBe(0);
    expect(err).toContain(
      `Campaign "leads" is "spring renewals" now: \`npx callsheet run 'spring renewals'\`.\n` +
        `Its results go to ${at.path('data/results/spring renewals.csv')} from now on; ${at.path('data/results/leads.csv')} stays.\n`,
    );
    expect((await at.run(['run', 'spring renewals'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    const { history } = (await json(at, ['status', 'spring renewals'])) as { history: unknown[] };
    expect(history).toContainEqual(
      expect.objectContaining({
        what: 'campaign.renamed',
        who: 'operator',
        detail: { from: 'leads', to: 'spring renewals' },
      }),
    );
    expect((await at.run(['status', 'leads'])).code).toBe(2);
  });

  it('refuses a name that is taken in either database, or is none, and changes nothing', async () => {
    const { at } = await called();
    await at.run([...REHEARSAL, '--name', 'rehearsal', '--dry-run']);
    await at.run(['import', 'rehearsal', 'leads.csv', '--service', 'simulated']);
    const taken = await at.run(['set', 'leads', 'name=rehearsal']);
    expect([taken.code, taken.err]).toEqual([
      2,
      expect.stringContaining(
        `There is a campaign "rehearsal" already, in ${at.path('data/simulated.db')}.`,
      ),
    ]);
    expect((await at.run(['set', 'rehearsal', 'name=leads'])).code).toBe(2);
    const none = await at.run(['set', 'leads', 'name=spring.csv']);
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringContaining('"spring.csv" is not a campaign name'),
    ]);
    expect((await at.run(['set', 'rehearsal', 'name=dress'])).code).toBe(0);
    const names = ((await listed(at)) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['leads', 'dress']);
  });

  it('is refused while a runner works on the campaign', async () => {
    const { at } = await aDesk(NOT_YET);
    const { io, ended } = at.begin([...RUN, '--limit', '1']);
    await io.written('3 waiting');
    await oneOpen(at);
    const { code, err } = await at.run(['set', 'leads', 'name=spring']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('A runner is working on campaign "leads" ('),
    ]);
    io.signal();
    io.signal();
    await ended;
  });
});

describe('archive', () => {
  it('takes a campaign that is done out of the list, until it is undone', async () => {
    const { at } = await called();
    const { code, err } = await at.run(['cancel', '--archive', 'leads']);
    expect([code, err]).toEqual([
      0,
      'Campaign "leads" is archived; its calls still count as made. `npx callsheet cancel leads --archive --undo` takes it back.\n',
    ]);
    const hidden = await at.run(['list']);
    expect([hidden.out, hidden.err]).toEqual([
      '',
      '1 archived campaign is not shown; `npx callsheet list --all` does.\n',
    ]);
    expect((await at.run(['list', '--all'])).out).toContain('completed (archived)');
    expect(await listed(at, '--all')).toMatchObject([{ name: 'leads', archived: true }]);
    expect((await at.run(['explain', '--calls', PHONES[0] ?? ''])).out).toContain('leads');
    expect((await at.run(['cancel', '--archive', 'leads', '--undo'])).code).toBe(0);
    expect(await listed(at)).toMatchObject([{ name: 'leads', archived: false }]);
  });

  it('lets nobody be called or added until it is undone, and names the command', async () => {
    const { at, service } = await called();
    await at.run(['cancel', '--archive', 'leads']);
    at.write('more.csv', 'name,phone\nFay,+12125550150\n');
    for (const argv of [
      ['run', 'leads'],
      [...RUN, '--dry-run'],
      ['import', 'leads', 'more.csv'],
    ]) {
      const { code, err } = await at.run(argv);
      expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([
        2,
        expect.stringContaining('`npx callsheet cancel leads --archive --undo` takes it back'),
      ]);
    }
    expect(service.dialled).toHaveLength(3);
  });

  it('is refused while somebody waits, and done for one that is cancelled; rehearsals too', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', '--service', 'simulated']);
    const { code, err } = await at.run(['cancel', '--archive', 'leads']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('Campaign "leads" is not done: 3 waiting to be called.'),
    ]);
    await at.run(['cancel', 'leads']);
    expect((await at.run(['cancel', '--archive', 'leads'])).code).toBe(0);
  });

  it('is refused while a call is open', async () => {
    const { at } = await aDesk(NOT_YET);
    await leftOpen(at);
    await at.run(['cancel', 'leads']);
    const { code, err } = await at.run(['cancel', '--archive', 'leads']);
    expect([code, err]).toEqual([2, expect.stringContaining('1 in a call that is still open')]);
  });
});
