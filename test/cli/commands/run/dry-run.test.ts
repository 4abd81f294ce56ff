import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { contentsOf } from '../../../helpers/files/folder-contents.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { aDesk, RUN } from '../desk.ts';

const DRY = [...RUN, '--dry-run'];

/** A desk whose service counts as live. */
async function liveDesk() {
  const service = await voiceServer();
  const at = desk({ VOICE_API_URL: LIVE, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${livePhone(0)}\n`);
  return { at, service, connect: leadTo({ [LIVE]: service.url }) };
}

describe('run --dry-run', () => {
  it('says the plan with samples, calls nobody and writes nothing', async () => {
    const { at, service } = await aDesk();
    const before = contentsOf(at.cwd);
    const { code, err, out } = await at.run(DRY);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('3 to call now, 2 rows not taken; concurrency 5');
    expect(err).toContain('numbers from "phone" ("+12125550100", ');
    expect(err).toMatch(
      /Results would go to \S+leads\.csv\.\nDry run: nobody was called, nothing was written\.\n$/,
    );
    expect([service.dialled, contentsOf(at.cwd)]).toEqual([[], before]);
  });

  it('changes no file of a campaign that is there, and says how many it would call', async () => {
    const { at, service } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
    const before = contentsOf(at.cwd);
    const { code, out } = await at.run(['run', 'leads', '--dry-run', '--json', '--concurrency=2']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      campaign: 'leads',
      stored: true,
      callNow: 3,
      settings: { concurrency: '2' },
      agentName: 'Renewals',
      resultsFile: at.path('data/results/leads.csv'),
    });
    expect([service.dialled, contentsOf(at.cwd)]).toEqual([[], before]);
  });

  it('makes no file of the embedded service either', async () => {
    const at = desk();
    at.write('leads.csv', 'phone\n+12125550100\n');
    const before = contentsOf(at.cwd);
    const { code } = await at.run(['run', 'leads.csv', '--service', 'simulated', '--dry-run']);
    expect([code, contentsOf(at.cwd)]).toEqual([0, before]);
  });

  it.each([
    ['another agent', ['run', 'leads.csv', '--agent', 'ag_9']],
    ['a list without --add', ['run', 'other.csv', '--name', 'leads', '--agent', 'ag_1']],
    ['a time that is none', [...RUN, '--until', 'noon']],
    ['a results file of somebody else', [...RUN, '-o', 'notes.txt']],
    ['a list that is not there', ['run', 'missing.csv', '--agent', 'ag_1']],
    ['standard input without a name', ['run', '-', '--agent', 'ag_1']],
  ])('refuses %s as the run would', async (_, argv) => {
    const { at, service } = await aDesk();
    if (argv.includes('other.csv'))
      await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
    at.write('other.csv', 'phone\n+12125550103\n');
    at.write('notes.txt', 'mine\n');
    const before = contentsOf(at.cwd);
    const dry = await at.run([...argv, '--dry-run']);
    expect(contentsOf(at.cwd)).toEqual(before);
    expect(dry.code).toBeGreaterThan(0);
    const real = await at.run(argv);
    expect([dry.code, problemIn(dry.err)]).toEqual([real.code, problemIn(real.err)]);
    expect(service.dialled).toEqual([]);
  });

  it('needs the yes that the run needs off a terminal, and asks for none on one', async () => {
    const { at, service, connect } = await liveDesk();
    const argv = [...DRY, '--rules', 'always', '--new-db', '--db', 'x.db'];
    const off = await at.run(argv, { connect });
    expect([off.code, off.err]).toEqual([2, expect.stringContaining('or give --yes')]);
    expect((await at.run([...argv, '--yes'], { connect })).code).toBe(0);
    const on = await at.run(argv, { connect, typed: '' });
    expect([on.code, on.err]).toEqual([0, expect.not.stringContaining('Type yes')]);
    const there = await at.run(argv.slice(0, -2), { connect });
    expect(there.err).toContain('There is no database at');
    expect([service.dialled, at.has('x.db')]).toEqual([[], false]);
  });
});

function problemIn(err: string): string {
  return err.slice(err.indexOf('callsheet: '));
}
