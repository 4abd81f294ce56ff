import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { gate } from '../../../helpers/services/voice-server.ts';
import { aDesk, json, PHONES, RUN } from '../desk.ts';

const [AL, BO] = PHONES as [string, string, string];

describe('export', () => {
  it('takes the format from the ending, else from the flag', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    await at.run(['export', 'leads', '-o', 'book.xlsx']);
    expect(at.read('book.xlsx').slice(0, 2)).toBe('PK');
    await at.run(['export', 'leads', '--format', 'excel', '-o', 'table.csv']);
    expect(at.read('table.csv').startsWith('\ufeffname,phone,call_phone')).toBe(true);
    await at.run(['export', 'leads', '--format', 'excel']);
    expect(at.read('data/results/leads.csv')).toBe(at.read('table.csv'));
    await at.run(['export', 'leads', '--format', 'jsonl']);
    expect(at.read('data/results/leads.jsonl').split('\n')).toHaveLength(4);
    const piped = await at.run(['export', 'leads', '--format', 'jsonl', '-o', '-']);
    expect(piped.out).toBe(at.read('data/results/leads.jsonl'));
  });

  it('writes what is asked for: rows, columns, attempts, a time', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const text = async (...flags: string[]) =>
      (await at.run(['export', 'leads', '-o', '-', ...flags])).out;
    expect(await text('--columns', 'name,call_result')).toBe(
      'name,call_result\r\nAl,answered\r\nBo,\r\nCy,\r\n',
    );
    expect(await text('--only', 'answered', '--columns', 'name')).toBe('name\r\nAl\r\n');
    expect(await text('--per', 'attempt', '--columns', 'name,call_attempt_result')).toBe(
      'name,call_attempt_result\r\nAl,answered\r\n',
    );
    expect(await text('--since', '1h', '--columns', 'name')).toBe('name\r\nAl\r\n');
  });

  it('gives with --since-last each lead once, each time into a file of its own', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const path = (text: string) =>
      /Results: (\S+) /.exec(text)?.[1]?.slice(at.cwd.length + 1) ?? '';
    const first = path((await at.run(['export', 'leads', '--since-last'])).err);
    expect(first).toMatch(/^data\/results\/leads-new-\d{8}T\d{6}Z\.csv$/);
    expect(rowsOf(at.read(first)).map(({ name }) => name)).toEqual(['Al']);
    const again = await at.run(['export', 'leads', '--since-last', '-o', first]);
    expect(again.code).toBe(2);
    expect(again.err).toContain(
      `${at.path(first)} is there already: --since-last writes each row once`,
    );
    await at.run(['run', 'leads']);
    await at.run(['export', 'leads', '--since-last', '-o', 'second.csv']);
    expect(rowsOf(at.read('second.csv')).map(({ name }) => name)).toEqual(['Bo', 'Cy']);
    expect(
      (await at.run(['export', 'leads', '--since-last', '-o', '-'])).out.split('\r\n'),
    ).toHaveLength(2);
  });
});

describe('show', () => {
  it('tells everything of one person', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const { out, code } = await at.run(['explain', '--calls', 'al']);
    expect(code).toBe(0);
    expect(out).toContain(
      `${AL}  campaign leads, leads.csv line 2\n  name: Al\n  phone: ${AL}\n  their time zone: America/New_York\n  answered\n`,
    );
    expect(out).toMatch(/\n {4}call: \S+ at http:\S+, agent ag_1\n/);
    expect((await at.run(['explain', '--calls', BO])).out).toContain('  waits; never called\n');
    const calls = [{ state: 'settled', result: 'answered' }];
    const [one] = (await json(at, ['explain', '--calls', AL])) as { cells: { value: string }[] }[];
    expect(one).toMatchObject({ campaign: 'leads', phone: AL, by: 'number', calls });
    expect(one?.cells.map(({ value }) => value)).toEqual(['Al', AL]);
  });

  it('lists people where there are many, over all campaigns or in one', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'a', 'leads.csv', '--agent', 'ag_1']);
    await at.run(['import', 'b', 'leads.csv', '--agent', 'ag_1']);
    const { out, err } = await at.run(['explain', '--calls', '+1313555']);
    expect(out).toBe('');
    expect(err).toContain('Nobody was found for "+1313555"');
    const all = await at.run(['explain', '--calls', '1212555']);
    expect(all.out.split('\n')[0]?.split(/ +/)).toEqual(
      'NUMBER NAME STATE ATTEMPTS CAMPAIGN LIST LINE'.split(' '),
    );
    expect(all.out.split('\n')).toHaveLength(8);
    expect(all.err).toContain('callsheet explain NUMBER --calls` shows one of them');
    const one = await at.run(['explain', '--calls', '1212555', '--campaign', 'b']);
    expect(one.out.match(/campaign b,/g)).toHaveLength(3);
  });

  it('says where it looked when nobody is found', async () => {
    const { at } = await aDesk();
    const { code, err } = await at.run(['explain', '--calls', 'nobody']);
    expect(code).toBe(2);
    expect(err).toContain(`Nobody was found for "nobody", in ${at.path('data/callsheet.db')}.`);
    const misspelt = await at.run(['explain', '--calls', 'nobody', '--campaign', 'x']);
    expect(misspelt.err).toContain(`No campaign "x" is in ${at.path('data/callsheet.db')};`);
  });
});

describe('tail', () => {
  it('shows the newest calls, and every other as it comes to an end, until the campaign does', async () => {
    const open = gate();
    const { at } = await aDesk({
      dial: async ({ body }, callId) => {
        if (body['phone_number'] === BO) await open.pass();
        return { body: { call_id: callId } };
      },
    });
    const { ended, io } = at.begin(RUN);
    await open.waiting(1);
    const tail = at.begin(['tail', 'leads'], { clock: hastyClock(20) });
    await tail.io.written(`${AL}   answered`);
    open.open();
    expect((await ended).code).toBe(0);
    const { code, out, err } = await tail.ended;
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(3);
    expect(out).toMatch(/^\d\d:\d\d:\d\d {2}\+12125550100 +answered .* Al/m);
    expect(err).not.toContain('Nobody works');
    expect(io.err()).toContain('Every lead is final.');
  });

  it('ends with Ctrl-C, or at once, or writes an object a line', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '2']);
    const waiting = at.begin(['tail', 'leads', '-n', '1']);
    await waiting.io.written('No run of "leads" is going on; waiting for calls (Ctrl-C ends).');
    waiting.io.signal();
    const { code, out } = await waiting.ended;
    expect(code).toBe(130);
    expect(out.trim().split('\n')).toHaveLength(1);
    const once = await at.run(['tail', 'leads', '--once', '--json']);
    expect(once.code).toBe(0);
    const lines = once.out.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ call: { result: 'answered' } });
    const wrong = await at.run(['tail', 'leads', '--lines', 'all']);
    expect(wrong.err).toContain('--lines "all" is not');
  });
});

describe('summary and report', () => {
  it('print figures as text and JSON, and write a page', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '2']);
    const { out } = await at.run(['report', 'leads']);
    expect(out).toContain(
      'leads: 3 leads, 2 done, 0 in progress, 1 waiting; 2 calls made, 0 refused, 0 in doubt, 0 not made\n',
    );
    expect(out).toContain('Answered        2 of 2 (100%)\n');
    expect(await json(at, ['report', 'leads'])).toMatchObject({
      campaign: 'leads',
      figures: { leads: { total: 3 }, calls: { ended: 2, answered: 2 } },
    });
    const { err } = await at.run(['report', 'leads', '-o', 'leads.html']);
    expect(err).toBe(`Report: ${at.path('leads.html')} (2 calls)\n`);
    expect(at.read('leads.html')).toContain('<h1>leads</h1>');
    const piped = await at.run(['report', 'leads', '--calls', '0', '-o', '-']);
    expect(piped.out).toContain('</html>');
    expect(piped.out).not.toContain(AL);
  });
});
