import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { aDesk, RUN, listed } from '../desk.ts';

const PHONES = [0, 1, 2].map(livePhone);
const LIST = `phone\n${PHONES.join('\n')}\n`;
const FLAGS = [
  ...['--agent', 'ag_1', '--service-url', LIVE, '--rules', 'always', '--db', 'calls.db'],
  ...['--set', 'polling.floor=20ms'],
];

/** A desk at a live service that has called all of `jan.csv`, whose bytes `feb.csv` has, too. */
async function afterJanuary() {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  const connect = leadTo({ [LIVE]: service.url });
  at.write('jan.csv', LIST);
  at.write('feb.csv', LIST);
  const run = (argv: string[], typed?: string) =>
    at.run(argv, { connect, ...(typed === undefined ? {} : { typed }) });
  const first = await run(['run', 'jan.csv', ...FLAGS, '--yes', '--new-db']);
  expect([first.code, service.dialled.toSorted()]).toEqual([0, PHONES]);
  service.dialled.length = 0;
  return { at, service, connect, run };
}

describe('a list that another campaign has called', () => {
  it('calls nobody off a terminal without --again, and says which campaign and since when', async () => {
    const { at, service, run } = await afterJanuary();
    const { code, err } = await run(['run', 'feb.csv', ...FLAGS, '--yes']);
    expect([code, service.dialled]).toEqual([2, []]);
    expect(err).toContain('feb.csv is the same list that campaign "jan"');
    expect(err).toMatch(/has had since \w{3} \d{4}-\d\d-\d\d \d\d:\d\d America\/New_York \(/);
    expect(err).toContain('give --again if that is meant, --skip-called ever');
    expect(err).toContain('`npx callsheet run jan --db calls.db` goes on with that campaign');
    expect(await listed(at, '--db', 'calls.db')).toHaveLength(1);
    const again = await run(['run', 'feb.csv', ...FLAGS, '--yes', '--again']);
    expect([again.code, service.dialled.toSorted()]).toEqual([0, PHONES]);
  });

  it('has grown, under the name that its campaign had before: nobody is called by a second one for that', async () => {
    const { at, service, run } = await afterJanuary();
    expect((await run(['set', 'jan', 'name=winter', '--db', 'calls.db'])).code).toBe(0);
    at.write('jan.csv', `${LIST}${livePhone(3)}\n`);

    const { code, err } = await run(['run', 'jan.csv', ...FLAGS, '--add', '--yes']);

    expect([code, service.dialled]).toEqual([2, []]);
    expect(err).toContain('campaign "winter" was "jan" until');
    expect(err).toContain('`npx callsheet run winter --db calls.db` goes on with that campaign');
    const more = await run(['run', 'jan.csv', ...FLAGS, '--add', '--yes', '--name', 'winter']);
    expect([more.code, service.dialled]).toEqual([0, [livePhone(3)]]);
    // Nor by another one that has got the name since, and had begun before.
    at.write('other.csv', `phone\n${livePhone(4)}\n`);
    expect((await run(['run', 'other.csv', ...FLAGS, '--yes'])).code).toBe(0);
    await run(['set', 'other', 'name=jan', '--db', 'calls.db']);
    service.dialled.length = 0;
    at.write('jan.csv', `${LIST}${livePhone(3)}\n${livePhone(5)}\n`);
    const taken = await run(['run', 'jan.csv', ...FLAGS, '--add', '--yes', '--name', 'jan']);
    expect([taken.code, service.dialled]).toEqual([2, []]);
    expect(taken.err).toContain('campaign "winter" was "jan" until');
    await run(['set', 'jan', 'name=other', '--db', 'calls.db']);
    // Somebody who means it begins a new campaign.
    const again = await run(['run', 'jan.csv', ...FLAGS, '--yes', '--again']);
    expect([again.code, service.dialled.length]).toEqual([0, 5]);
  });

  it('asks on a terminal for the word, and then for the yes', async () => {
    const { at, service, connect, run } = await afterJanuary();
    const no = await run(['run', 'feb.csv', ...FLAGS], 'yes\n');
    expect([no.code, service.dialled]).toEqual([2, []]);
    expect(no.err.replaceAll(/\s+/g, ' ')).toContain(
      'Its people are called again, by a campaign other than "jan"; --skip-called ever would leave out everyone it has called. Type again if that is meant:',
    );
    const terminal = { connect, stdinIsTty: true, stderrIsTty: true };
    const { io, ended } = at.begin(['run', 'feb.csv', ...FLAGS], terminal);
    await io.written('is meant:');
    io.stdin.write('again\n');
    await io.written('Type yes to start:');
    io.stdin.write('yes\n');
    expect((await ended).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('needs no --again with --skip-called, which calls nobody of them', async () => {
    const { service, run } = await afterJanuary();
    const { code, err } = await run(['run', 'feb.csv', ...FLAGS, '--yes', '--skip-called', 'ever']);
    expect([code, service.dialled]).toEqual([0, []]);
    expect(err).toContain('0 to call now, 3 left out as called before');
    expect(err).toContain('skipCalled ever: 3 of them are left out and end as cancelled.');
  });

  it.each([
    ['import and start', ['resume', 'feb', '--db', 'calls.db', '--yes']],
    ['import, pause and resume', ['resume', 'feb', '--db', 'calls.db', '--yes']],
    ['import and run', ['run', 'feb', '--db', 'calls.db', '--yes']],
  ])('is asked for by %s, too', async (how, begin) => {
    const { service, run } = await afterJanuary();
    const imported = await run(['import', 'feb', 'feb.csv', ...FLAGS]);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain('feb.csv is the same list that campaign "jan"');
    if (how.includes('pause')) await run(['pause', 'feb', '--db', 'calls.db']);
    const refused = await run(begin);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('give --again');
    expect((await run([...begin, '--again'])).code).toBe(0);
    // It was answered: the next night is not asked.
    expect((await run(['run', 'feb', '--db', 'calls.db', '--yes'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('is known packed, by another path, from a campaign file, and when it joins another campaign', async () => {
    const { at, service, run } = await afterJanuary();
    at.write('packed.csv.gz', gzipSync(LIST));
    at.write('march.yaml', 'name: march\nleads: feb.csv\n');
    at.write('new.csv', `phone\n${livePhone(9)}\n`);
    const refused = async (argv: string[]) => {
      const { code, err } = await run([...argv, ...FLAGS]);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('is the same list that campaign "jan"'),
      ]);
    };
    await refused(['run', 'packed.csv.gz', '--yes']);
    await refused(['run', 'march.yaml', '--yes']);
    expect((await run(['run', 'new.csv', ...FLAGS, '--yes'])).code).toBe(0);
    await refused(['run', 'feb.csv', '--name', 'new', '--add', '--yes']);
    await refused(['import', 'new', 'feb.csv']);
    expect(service.dialled).toEqual([livePhone(9)]);
    // The campaign that had it first goes on without a question.
    expect((await run(['run', 'jan.csv', ...FLAGS, '--yes', '--new-db'])).code).toBe(0);
  });

  it('is not held against one that was cancelled before it called anybody', async () => {
    const { at, service } = await aDesk();
    await at.run(['import', 'wrong', 'leads.csv', '--agent', 'ag_1']);
    const known = await at.run(RUN);
    expect(known.err).toContain('is the same list that campaign "wrong"');
    expect(known.err).toContain('that campaign still has people on it to call.');
    expect(service.dialled).toHaveLength(3);
    at.write('other.csv', 'name,phone\nFay,+12125550150\n');
    await at.run(['import', 'mistake', 'other.csv', '--agent', 'ag_1']);
    await at.run(['cancel', 'mistake']);
    const { err } = await at.run(['run', 'other.csv', ...RUN.slice(2)]);
    expect(err).not.toContain('is the same list that campaign');
  });
});

describe('people who were called before', () => {
  /** Two campaigns that have called Al, Bo and Cy; a third list has two of them and a new one. */
  async function threeLists(): Promise<Desk> {
    const { at } = await aDesk();
    await at.run(RUN);
    at.write('two.csv', 'name,phone\nBo,+12125550101\n');
    await at.run(['run', 'two.csv', ...RUN.slice(2)]);
    await at.run(['call', '+12125550104', '--agent', 'ag_1', '--set', 'polling.floor=20ms']);
    at.write(
      'three.csv',
      'name,phone,Do Not Call\nBo,+12125550101,\nAl,+12125550100,\nCy,+12125550102,yes\nDee,+12125550103,\nEd,+12125550104,\n',
    );
    return at;
  }

  it('are told by check and run: how many, by whom, when last, and how it ended', async () => {
    const at = await threeLists();
    const argv = ['three.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
    const checked = await at.run(['check', ...argv]);
    // Cy was called, too, but is not to be called now.
    expect(checked.err).toContain('4 to call now');
    expect(checked.err).toMatch(
      /Called before: 3 of these people were called by other campaigns: 1 by single calls \(last \w{3} [-:\d ]+ America\/New_York\), 1 by "two" \(last .+\), 1 by "leads" \(last .+\)\. How the last call of each ended: answered 3\./,
    );
    expect(checked.err).toContain('They are called again; --skip-called ever leaves out');
    const { out } = await at.run(['check', ...argv, '--skip-called', 'ever', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      callNow: 1,
      calledBefore: {
        people: 3,
        leftOut: 3,
        campaigns: [{ name: null }, { name: 'two', people: 1 }, { name: 'leads' }],
        ends: { answered: 3 },
      },
    });
    const run = await at.run(['run', ...argv, '--skip-called', 'ever']);
    expect(run.err).toContain('1 to call now, 3 left out as called before');
    expect(run.err).toContain('skipCalled ever: 3 of them are left out and end as cancelled.');
    const called = 'called_before: campaign "two" on ';
    expect((await at.run(['explain', '--calls', '+12125550101'])).out).toContain(
      `  cancelled: ${called}`,
    );
    const call = ['call', '+12125550101', '--agent', 'ag_1', '--set', 'skipCalled=ever'];
    expect((await at.run(call)).out).toContain(`reason: ${called}`);
    expect(run.err).toMatch(/\n {2}answered +1 .*\n {2}suppressed +1 .*\n {2}cancelled +3 /s);
  });

  it('are told of a campaign that was imported, and of a setting that is taken away', async () => {
    const at = await threeLists();
    const argv = ['import', 'three', 'three.csv', '--agent', 'ag_1', '--skip-called', '30d'];
    expect((await at.run(argv)).code).toBe(0);
    expect((await at.run(['set', 'three', 'skipCalled=1h'])).err).toBe('skipCalled 30d -> 1h\n');
    const later = { ...(await import('../../../../src/runtime/clock.ts')).systemClock };
    const clock = { ...later, now: () => later.now() + 2 * 3_600_000 };
    const { err } = await at.run(['check', 'three'], { clock });
    expect(err).toContain(
      'skipCalled 1h: 0 of them are left out and end as cancelled; 3 called longer ago are called again.',
    );
    expect((await at.run(['set', 'three', 'skipCalled=none'])).err).toBe('skipCalled 1h -> none\n');
    const wrong = await at.run(['set', 'three', 'skipCalled=soon']);
    expect(wrong.err).toContain(
      'skipCalled "soon" is not ever, a time from 1h to 3650d such as 30d',
    );
  });
});
