import { describe, expect, it } from 'vitest';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { until } from '../../helpers/until.ts';
import { gate, talked, voiceServer, type Behaviour } from '../../helpers/voice-server.ts';

const PHONES = ['+12125550100', '+12125550101', '+12125550102'];
const LIST = `name,phone\nAl,${PHONES[0] ?? ''}\nBo,${PHONES[1] ?? ''}\nCy,${PHONES[2] ?? ''}\nDi,${PHONES[0] ?? ''}\nEd,n/a\n`;
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
const NOT_YET = { analytics: () => ({ status: 409, body: {} }) };

const aDesk = async (behaviour: Behaviour = {}) => {
  const service = await voiceServer(behaviour);
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', LIST);
  return { at, service };
};
interface Listed {
  open: number;
}
const json = async (at: Desk, argv: string[]): Promise<unknown> => {
  const { code, out } = await at.run([...argv, '--json']);
  expect(code).toBe(0);
  return JSON.parse(out);
};
/** A run that was left while its one call was open. */
const leftOpen = async (at: Desk) => {
  const { io, ended } = at.begin([...RUN, '--limit', '1']);
  const listed = async () => JSON.parse((await at.run(['list', '--json'])).out) as Listed[];
  await io.written('3 waiting');
  await until(async () => (await listed())[0]?.open === 1);
  io.signal();
  io.signal();
  expect((await ended).code).toBe(130);
};

describe('check', () => {
  it('shows what would be called and why not, calls nobody and writes nothing', async () => {
    const { at, service } = await aDesk();
    const { code, err, out } = await at.run(['check', 'leads.csv', '--agent', 'ag_1']);
    expect(code).toBe(0);
    expect(out).toBe('');
    expect(err).toContain(
      `LOOPBACK ${service.url} agent Renewals (ag_1): 3 to call now, 2 rows not taken`,
    );
    expect(err).toContain('leads.csv: 5 rows, 3 good, 1 rejected, 1 duplicate.\n');
    expect(err).toContain('  numbers from column "phone"\n');
    expect(err).toContain('  kept for the results, not sent to the service: name\n');
    expect(err).toContain('  line 5: duplicate of line 2 (+12125550100)\n  line 6: ');
    expect(err).toContain(`There is no database at ${at.path('data/callsheet.db')} yet.`);
    expect(err).toMatch(/Nothing was called, nothing was written\.\n$/);
    expect(service.dialled).toEqual([]);
    expect(at.has('data')).toBe(false);
    expect(await json(at, ['check', 'leads.csv', '--agent', 'ag_1'])).toMatchObject({
      campaign: 'leads',
      exists: false,
      callNow: 3,
      lists: [{ good: 3, rejected: 1, duplicates: 1, phoneColumn: 'phone' }],
      service: { url: service.url, live: false, agentName: 'Renewals', problem: null },
      database: { exists: false },
    });
  });

  it('of a campaign that exists counts what is left, and changes nothing', async () => {
    const { at, service } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const { err } = await at.run(['check', 'leads.csv']);
    expect(err).toContain('2 to call now, 1 done already');
    expect(err).toContain('leads.csv: in the campaign already (3 good rows).');
    expect(service.dialled).toHaveLength(1);
  });

  it('says what is wrong with the service or the agent', async () => {
    const { at, service } = await aDesk({ agents: () => ({ status: 500, body: 'oops' }) });
    const failing = await at.run(['check', 'leads.csv', '--agent', 'ag_1']);
    expect(failing.code).toBe(1);
    expect(failing.err).toMatch(/\nService: The service does not work now: .*HTTP 500: oops\.\n/);
    service.behave({ agents: () => ({ body: [] }) });
    const unknown = await at.run(['check', 'leads.csv', '--agent', 'ag_1']);
    expect(unknown.err).toContain(`Service: ${service.url} has no agent "ag_1".`);
    expect(unknown.code).toBe(1);
  });
});

describe('run', () => {
  it('says in JSON how it ended, and tells its progress in lines', async () => {
    const { at } = await aDesk();
    const { code, out, err } = await at.run([...RUN, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      campaign: 'leads',
      state: 'completed',
      total: 3,
      waiting: 0,
      calling: 0,
      unknown: 0,
      done: 3,
      results: { answered: 3 },
      held: 0,
      open: 0,
      doubts: 0,
      dials: 3,
      nextDueAt: null,
      exitCode: 0,
      why: 'Every lead is final.',
      nextAt: null,
      resultsFile: at.path('data/results/leads.csv'),
    });
    expect(err).toMatch(/\n0 done, 0 in progress, 3 waiting\n/);
    expect(err).toMatch(/\n3 done, 0 in progress, 0 waiting\n/);
    expect(err).toMatch(/Results: \S+leads\.csv \(3 rows\)\nEvery lead is final\.\n$/);
  });

  it('draws a bar on a terminal, and leaves the cursor on', async () => {
    const { at } = await aDesk();
    const { code, err } = await at.run(RUN, { typed: '' });
    expect(code).toBe(0);
    expect(err).toMatch(/ 0% 0 done, 0 in progress, 3 waiting/);
    // The bar is cleared away, and its last line stays as text.
    expect(err).toContain('\u001b[2K3 done, 0 in progress, 0 waiting\n');
    expect(err.lastIndexOf('\u001b[?25h')).toBeGreaterThan(err.lastIndexOf('\u001b[?25l'));
  });

  it('lets sentences stand on lines of their own beside the bar, also when it is left', async () => {
    const { at } = await aDesk(NOT_YET);
    const { io, ended } = at.begin([...RUN, '--limit', '1'], {
      stdinIsTty: true,
      stderrIsTty: true,
    });
    const listed = async () => JSON.parse((await at.run(['list', '--json'])).out) as Listed[];
    await io.written('3 waiting');
    await until(async () => (await listed())[0]?.open === 1);
    io.signal();
    await io.written('\u001b[2KStopping: no new call is started;');
    io.signal();
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(/\nLeft at once\. Nothing is lost: .* brings in 1 open call\.\n$/);
    expect(err.lastIndexOf('\u001b[?25h')).toBeGreaterThan(err.lastIndexOf('\u001b[?25l'));
  });

  it('of a campaign file does the same, with its own name and settings', async () => {
    const { at, service } = await aDesk();
    at.write(
      'spring.yaml',
      `name: spring renewals\nagent: ag_1\nleads: leads.csv\nconcurrency: 2\nresults: { file: out/spring.jsonl, format: jsonl }\nservice: { url: ${service.url} }\npolling: { floor: 20ms }\n`,
    );
    const { code, err } = await at.run(['run', 'spring.yaml']);
    expect(code).toBe(0);
    expect(err).toContain("npx callsheet import 'spring renewals' ");
    expect(at.read('out/spring.jsonl').trim().split('\n')).toHaveLength(3);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    const listed = (await json(at, ['list'])) as unknown[];
    expect(listed).toMatchObject([{ name: 'spring renewals', settings: { concurrency: 2 } }]);
  });

  it('writes results to stdout with -o -, and nothing else there', async () => {
    const { at } = await aDesk();
    const { out } = await at.run([...RUN, '-o', '-', '--json']);
    expect(rowsOf(out).map((row) => row['name'])).toEqual(['Al', 'Bo', 'Cy']);
  });

  it('that may not read with its key ends with exit code 4, its calls still open', async () => {
    const { at, service } = await aDesk({ analytics: () => ({ status: 401, body: 'no' }) });
    const { code, err } = await at.run(RUN);
    expect(code).toBe(4);
    expect(err).toContain('The service refused the key: calls cannot be read.');
    expect(err).toMatch(/calls? (is|are) still open; `npx callsheet collect leads` brings/);
    service.behave({});
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});

describe('list and status', () => {
  it('show every campaign in a line, and in JSON', async () => {
    const { at, service } = await aDesk();
    const none = await at.run(['list']);
    expect(none).toMatchObject({ code: 0, out: '' });
    expect(none.err).toContain(`No campaign is in ${at.path('data/callsheet.db')};`);
    await at.run([...RUN, '--limit', '1']);
    const { out } = await at.run(['status']);
    const [headers = '', row = ''] = out.split('\n');
    expect(headers.split(/ +/)).toEqual(
      'CAMPAIGN STATE RUNNER WAITING CALLING UNKNOWN DONE ANSWERED NEXT SERVICE'.split(' '),
    );
    expect(row.split(/ {2,}/)).toEqual([
      'leads',
      'running',
      '-',
      '2',
      '0',
      '0',
      '1',
      '1',
      '-',
      service.url,
    ]);
    expect(await json(at, ['list'])).toMatchObject([
      { name: 'leads', state: 'running', waiting: 2, done: 1, simulated: false },
    ]);
  });

  it('with a name say who holds the slots, who works on it, and what to do', async () => {
    const open = gate();
    const { at } = await aDesk({
      dial: async (_, callId) => {
        await open.pass();
        return { body: { call_id: callId } };
      },
    });
    const { ended } = at.begin(RUN);
    await open.waiting(1);
    const { out, err } = await at.run(['status', 'leads']);
    expect(out).toMatch(new RegExp(`leads +running +pid ${process.pid} +2 +1 +0 `));
    expect(err).toContain('Slots: 1 of 5 held.\n  line 2 +12125550100 intent since ');
    expect(err).toContain(`2 leads wait; pid ${process.pid} calls.`);
    expect(await json(at, ['status', 'leads'])).toMatchObject({
      name: 'leads',
      runner: `pid ${process.pid}`,
      heldSlots: [{ phone: '+12125550100', state: 'intent', line: 2 }],
      openDoubts: [],
      lists: [{ good: 3, rejected: 1, duplicates: 1 }],
    });
    open.open();
    expect((await ended).code).toBe(0);
  });
});

describe('collect', () => {
  it('brings in what a run left open, and never dials', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    service.behave({});
    const collected = await at.run(['collect', 'leads']);
    expect(collected.code).toBe(3);
    expect(collected.err).toContain('2 leads wait; `npx callsheet run leads` goes on.');
    expect(service.dialled).toHaveLength(1);
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(['answered', '', '']);
    const none = await at.run(['collect']);
    expect(none.err).toBe('No call is open.\n');
  });

  it('without a name brings in every open call', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    service.behave({});
    const collected = await at.run(['collect']);
    expect(collected.err).toMatch(/^Collecting "leads"\.\n/);
    expect(collected.code).toBe(3);
  });
});

describe('cancel', () => {
  it('withdraws one person', async () => {
    const { at, service } = await aDesk();
    await at.run(['import', 'leads', ...RUN.slice(1)]);
    const withdrawn = await at.run(['cancel', 'leads', '--lead', '+12125550101']);
    expect(withdrawn).toMatchObject({ code: 0, err: '+12125550101 is withdrawn from "leads".\n' });
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([PHONES[0], PHONES[2]]);
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(['answered', 'cancelled', 'answered']);
    const done = await at.run(['cancel', 'leads', '--lead', '+12125550100']);
    expect(done.err).toContain('is done already; see the results.');
    const unknown = await at.run(['cancel', 'leads', '--lead', '+12125550199']);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('No lead of "leads" has the number +12125550199.');
    expect((await at.run(['cancel', 'leads', '--lead', 'x'])).code).toBe(2);
  });

  it('ends a campaign for good, while its open calls are collected', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    const cancelled = await at.run(['cancel', 'leads']);
    expect(cancelled.err).toBe(
      'Campaign "leads" is cancelled: 2 waiting leads are not called. 1 call in progress ends by itself. `npx callsheet collect leads` brings the results in.\n',
    );
    service.behave({});
    const collected = await at.run(['collect', 'leads']);
    expect(collected.code).toBe(0);
    expect(collected.err).toContain('The campaign is cancelled.');
    const refused = await at.run(['run', 'leads']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Campaign "leads" is cancelled for good.');
    expect(service.dialled).toHaveLength(1);
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(['answered', 'cancelled', 'cancelled']);
  });

  it('cannot hang up on a person who is being called', async () => {
    const { at } = await aDesk(NOT_YET);
    await leftOpen(at);
    const { code, err } = await at.run(['cancel', 'leads', '--lead', '+12125550100']);
    expect(code).toBe(1);
    expect(err).toContain('is being called now; the service has no way to hang up.');
  });
});

describe('import', () => {
  it('makes a campaign and calls nobody; start confirms it, run calls', async () => {
    const { at, service } = await aDesk();
    const imported = await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain('5 rows, 3 added, 1 rejected, 1 duplicate;');
    expect(imported.err).toContain(
      'Campaign "spring" (draft): 3 leads wait; `npx callsheet run spring` calls them.',
    );
    const again = await at.run(['import', 'spring', 'leads.csv']);
    expect(again.err).toContain('All of leads.csv is in "spring" already.');
    const started = await at.run(['start', 'spring']);
    expect(started.err).toContain(
      'Campaign "spring" is started; `npx callsheet run spring` calls.',
    );
    expect(service.dialled).toEqual([]);
    expect((await at.run(['run', 'spring', '--set', 'polling.floor=20ms'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
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

  it('leaves a paused campaign paused, and start says so', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    await at.run(['pause', 'spring']);
    const started = await at.run(['start', 'spring']);
    expect(started.code).toBe(3);
    expect(started.err).toContain('is paused; `npx callsheet resume spring` starts it');
  });
});

describe('export', () => {
  it('writes every lead, also before anybody was called, in the format of the ending', async () => {
    const { at } = await aDesk({ analytics: (_, phone) => ({ body: talked(phone) }) });
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    const csv = await at.run(['export', 'spring', '-o', 'all.csv']);
    expect(csv.err).toBe(`Results: ${at.path('all.csv')} (3 rows)\n`);
    expect(rowsOf(at.read('all.csv')).map((row) => row['call_state'])).toEqual(
      Array.from({ length: 3 }, () => 'waiting'),
    );
    await at.run(['export', 'spring', '-o', 'all.jsonl']);
    expect(at.read('all.jsonl').trim().split('\n')).toHaveLength(3);
    const piped = await at.run(['export', 'spring', '--format', 'jsonl', '-o', '-']);
    expect(piped.out).toBe(at.read('all.jsonl'));
    await at.run(['export', 'spring', '--format', 'jsonl']);
    expect(at.read('data/results/spring.jsonl')).toBe(at.read('all.jsonl'));
    await at.run(['export', 'spring']);
    expect(at.has('data/results/spring.csv')).toBe(true);
  });
});
