import { describe, expect, it } from 'vitest';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { gate } from '../../../helpers/services/voice-server.ts';
import { aDesk, json, RUN, listed } from '../desk.ts';

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
    expect(err).toContain('leads.csv: numbers from "phone" (');
    expect(err).toContain('  name from "name" (');
    expect(err).toContain('  line 5: duplicate of line 2 (+12125550100)\n  line 6: ');
    expect(err).toContain(`There is no database at ${at.path('data/callsheet.db')} yet.`);
    expect(err).toMatch(/Nobody was called, nothing was written\.\n$/);
    expect(service.dialled).toEqual([]);
    expect(at.has('data')).toBe(false);
    expect(await json(at, ['check', 'leads.csv', '--agent', 'ag_1'])).toMatchObject({
      campaign: 'leads',
      stored: false,
      callNow: 3,
      lists: [{ good: 3, rejected: 1, duplicates: 1, phoneColumn: 'phone' }],
      service: { url: service.url, live: false },
      ...{ agentName: 'Renewals', problem: null },
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
    const clock = hastyClock(100);
    const failing = await at.run(['check', 'leads.csv', '--agent', 'ag_1'], { clock });
    expect(failing.code).toBe(1);
    expect(failing.err).toMatch(/\nService: The service does not work now: .*HTTP 500: oops\.\n/);
    service.behave({ agents: () => ({ body: [] }) });
    const unknown = await at.run(['check', 'leads.csv', '--agent', 'ag_1']);
    expect(unknown.err).toContain(`Service: ${service.url} has no agent "ag_1".`);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain(
      `\n  next: \`npx callsheet agents list --service-url ${service.url} --profile voice-agent\` shows them`,
    );
  });

  it('ends with 4 where the service refuses the key, and says where another one goes', async () => {
    const { at } = await aDesk({ agents: () => ({ status: 401, body: {} }) });
    const { code, err } = await at.run(['check', 'leads.csv', '--agent', 'ag_1']);
    expect(code).toBe(4);
    expect(err).toMatch(
      /\nService: The service refused the key: .*\n {2}next: Put a key that the service accepts into VOICE_API_KEY/,
    );
    const asJson = await at.run(['check', 'leads.csv', '--agent', 'ag_1', '--json']);
    expect(asJson.code).toBe(4);
    expect(JSON.parse(asJson.out)).toMatchObject({
      next: expect.stringContaining('VOICE_API_KEY') as string,
    });
  });
});

describe('list and status', () => {
  it('show every campaign in a line, and in JSON', async () => {
    const { at, service } = await aDesk();
    const none = await at.run(['list']);
    expect(none).toMatchObject({ code: 0, out: '' });
    expect(none.err).toContain(
      `No campaign is in ${at.path('data/callsheet.db')}: there is no such file yet; `,
    );
    await at.run([...RUN, '--limit', '1']);
    const { out, err } = await at.run(['status']);
    expect(err).toBe('leads is not over, and nobody calls: `npx callsheet run leads`.\n');
    const terminal = { stdoutIsTty: true, columns: 80 };
    const narrow = await at.run(['list'], terminal);
    expect(narrow.out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(narrow.out).toMatch(/^CAMPAIGN +STATE +RUNNER +WAITING/);
    const below = await at.run(['list'], { ...terminal, columns: 40 });
    expect(below.out).toContain(`WAITING:   2\n`);
    expect(below.out).toContain(`SERVICE:   ${service.url}\n`);
    const [headers = '', row = ''] = out.split('\n');
    expect(headers.split(/ +/)).toEqual(
      'CAMPAIGN STATE RUNNER WAITING CALLING UNKNOWN DONE ANSWERED NEXT SERVICE'.split(' '),
    );
    expect(row.split(/ {2,}/)).toEqual([
      'leads',
      'open',
      'none',
      ...'2 0 0 1 1 -'.split(' '),
      service.url,
    ]);
    const [one] = (await listed(at)) as object[];
    expect(one).toMatchObject({
      name: 'leads',
      state: 'running',
      shown: 'open',
      waiting: 2,
      done: 1,
    });
    expect(one).toMatchObject({ situation: 'waiting', attention: null, simulated: false });
    expect(one).toMatchObject({ todo: 'callsheet run leads' });
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
    const works = new RegExp(`leads +running +pid ${process.pid} since \\d\\d:\\d\\d +2 +1 +0 `);
    expect((await at.run(['list'])).out).toMatch(works);
    const runner = { calling: 1, runner: `pid ${process.pid}`, runnerCalls: true };
    expect(await listed(at)).toMatchObject([
      { ...runner, runnerSince: expect.stringMatching(/T/) as string },
    ]);
    const { out, err } = await at.run(['status', 'leads']);
    expect(out).toMatch(works);
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
    await at.run(['set', 'leads', 'concurrency=2']);
    const none = { runner: null, runnerCalls: false, runnerSince: null };
    expect(await listed(at)).toMatchObject([none]);
  });
});
