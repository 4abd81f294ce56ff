import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { gate } from '../../../helpers/services/voice-server.ts';
import { until } from '../../../helpers/until.ts';
import { aDesk, leftOpen, NOT_YET, RUN, listed } from '../desk.ts';

const IMPORT = ['import', 'leads', 'more.csv'];

/** A run whose first dial is not answered yet. */
async function running() {
  const open = gate();
  const { at, service } = await aDesk({
    dial: async (_, callId) => {
      await open.pass();
      return { body: { call_id: callId } };
    },
  });
  const { ended } = at.begin(RUN);
  await open.waiting(1);
  const finish = async () => {
    open.open();
    return ended;
  };
  return { at, service, finish };
}

describe('what is said of a campaign is true', () => {
  it('resume on a completed one says that it is not paused, and does not leave it running', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    const { code, err } = await at.run(['resume', 'leads']);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('Campaign "leads" is completed, not paused: nothing to resume.'),
    ]);
    expect(err).toContain('`npx callsheet import leads <list>` brings people in.');
    expect(await listed(at)).toMatchObject([{ state: 'completed' }]);
    expect((await at.run(['run', 'leads'])).err).toContain('Every lead is final.');
  });

  it('a run that was stopped and reads results still is said to collect, not to call', async () => {
    const { at } = await aDesk(NOT_YET);
    const clock = hastyClock(20);
    const { io, ended } = at.begin([...RUN, '--limit', '1'], { clock });
    await until(async () =>
      (await at.run(['status', 'leads'], { clock })).err.includes(' collects and calls nobody.'),
    );
    io.signal();
    io.signal();
    expect((await ended).code).toBe(130);
  });

  it('a table of campaigns in several time zones names the zone of its times', async () => {
    const { at, finish } = await running();
    at.write('more.csv', 'phone\n+12125550150\n');
    await at.run(['import', 'autumn', 'more.csv', '--agent', 'ag_1', '--timezone', 'Asia/Tokyo']);
    expect((await at.run(['status'])).out).toMatch(/^CAMPAIGN +STATE +RUNNER \([\w/]+\) +WAITING/);
    expect((await at.run(['status', 'leads'])).out).toMatch(/^CAMPAIGN +STATE +RUNNER +WAITING/);
    await finish();
  });

  it('import says that a runner calls its people only where one does', async () => {
    const { at, finish } = await running();
    at.write('more.csv', 'name,phone\nFay,+12125550150\n');
    const beside = await at.run(IMPORT);
    expect(beside.err).toContain(`the runner (pid ${process.pid}) calls them.`);
    await finish();
    const stopped = await aDesk(NOT_YET);
    await leftOpen(stopped.at);
    stopped.at.write('more.csv', 'name,phone\nFay,+12125550150\n');
    const alone = await stopped.at.run(IMPORT);
    expect(alone.err).toContain('(open): 3 leads wait; `npx callsheet run leads` calls them.');
    // Who only collects calls nobody.
    const { io, ended } = stopped.at.begin(['collect', 'leads']);
    await io.written('in progress');
    stopped.at.write('more.csv', 'name,phone\nGil,+12125550151\n');
    const collecting = await stopped.at.run(IMPORT);
    expect(collecting.err).toContain('4 leads wait; `npx callsheet run leads` calls them.');
    const shown = await stopped.at.run(['status', 'leads']);
    expect(shown.err).toContain(`1 call is still open; pid ${process.pid} brings it in.`);
    expect(shown.err).not.toContain('callsheet collect');
    io.signal();
    io.signal();
    await ended;
  });

  it('while another one holds every slot of their service, it is open, and the reason is said', async () => {
    const open = gate();
    const { at, service } = await aDesk({
      dial: async (_, callId) => {
        await open.pass();
        return { body: { call_id: callId } };
      },
    });
    mkdirSync(at.path('campaigns'));
    at.write(
      'campaigns/services.yaml',
      `main: { url: '${service.url}', keyEnv: VOICE_API_KEY, maxCalls: 1 }\n`,
    );
    at.write('more.csv', 'name,phone\nFay,+12125550150\n');
    const first = at.begin([...RUN, '--service', 'main']);
    await open.waiting(1);
    const second = at.begin(['run', 'more.csv', '--agent', 'ag_1', '--service', 'main']);
    await until(async () => {
      const { err } = await at.run(['status', 'more']);
      return err.includes('Other campaigns hold every slot of main (1). 1 lead waits;');
    });
    const shown = (await listed(at)) as { name: string; shown: string }[];
    expect(Object.fromEntries(shown.map(({ name, shown }) => [name, shown]))).toEqual({
      leads: 'running',
      more: 'open',
    });
    open.open();
    expect((await first.ended).code).toBe(0);
    expect((await second.ended).code).toBe(0);
  });

  it('its history says each change as a sentence', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1', '--concurrency', '20']);
    await at.run(['set', 'leads', 'concurrency=10']);
    await at.run(['pause', 'leads']);
    await at.run(['resume', 'leads']);
    await at.run(['cancel', 'leads', '--lead', '+12125550101']);
    const { err } = await at.run(['status', 'leads']);
    for (const line of [
      'operator started the campaign.',
      'operator changed the settings: calls at once from 20 to 10.',
      'operator paused the campaign.',
      'operator resumed the campaign.',
      'operator withdrew a person: Bo, +12125550101.',
    ])
      expect(err).toContain(line);
    const { out } = await at.run(['explain', '--calls', '+12125550101']);
    expect(out).toContain('operator withdrew a person: +12125550101.');
    const story = (await at.run(['explain', '+12125550101', '--all'])).out;
    expect(story).toContain('operator paused the campaign.');
    expect(story).not.toContain('changed the settings');
  });
});
