import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../../src/app/run/situation.ts';
import { aScene } from '../../../helpers/campaign-run.ts';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { fakeWorld } from '../../../helpers/fake-io.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { hostileService, plain } from '../../../helpers/services/hostile-service.ts';
import { until } from '../../../helpers/until.ts';
import { aDesk, json } from '../desk.ts';

const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=1s', '--yes'];
const DOWN = { status: 503, body: { error: 'down for maintenance' } };

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
const statusOf = async (at: Desk, given = {}) =>
  oneLine((await at.run(['status', 'leads'], given)).err);

/** A desk with a list of so many people, and a service that answers as `behave` says. */
async function aServiceDesk(people: number) {
  const service = await hostileService(plain);
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write(
    'leads.csv',
    `phone\n${Array.from({ length: people }, (_, i) => aPhone(i)).join('\n')}\n`,
  );
  return { service, at };
}

describe('status', () => {
  it('says that the service fails while a run waits for it, since when and why, and not afterwards', async () => {
    const { service, at } = await aServiceDesk(6);
    const clock = hastyClock(50);
    let isDown = false;
    service.behave((asked) => {
      isDown ||= asked.operation === 'dial' && asked.nth === 1;
      return isDown ? DOWN : plain(asked);
    });
    const { ended } = at.begin([...RUN, '--concurrency', '4'], { clock });
    let said = '';
    await until(async () => {
      said = await statusOf(at, { clock });
      return said.includes('has failed since');
    });
    expect(said).toMatch(
      / has failed since \w{3} 2\S+ \S+ \S+, and nobody is called until it answers: .*503/,
    );
    expect(said).toMatch(/callsheet found that the service fails: .*503/);
    service.behave(plain);
    expect((await ended).code).not.toBe(1);
    const after = await statusOf(at, { clock });
    expect(after).not.toContain('has failed since');
    expect(after).toContain('callsheet found that the service takes calls again.');
  });

  it('says that the service is down before the first call of a run, which waits for it', async () => {
    const { service, at } = await aServiceDesk(2);
    const clock = hastyClock(50);
    expect((await at.run(['import', 'leads', 'leads.csv', ...RUN.slice(2)])).code).toBe(0);
    service.behave(() => DOWN);
    const { ended } = at.begin(['run', 'leads', '--wait', '8h', '--yes'], { clock });
    let said = '';
    await until(async () => {
      said = await statusOf(at, { clock });
      return said.includes('has failed since');
    });
    expect(said).toMatch(
      / has failed since .*nobody is called until it answers: .*503.*pid \d+ goes on/,
    );
    service.behave(plain);
    expect((await ended).code).toBe(0);
    const after = await statusOf(at, { clock });
    expect(after).not.toContain('has failed since');
    expect(after).toContain('callsheet found that the service takes calls again.');
  });

  it('says that the service refused the key', async () => {
    const { service, at } = await aServiceDesk(2);
    service.behave((asked) =>
      asked.operation === 'analytics' ? { status: 401, body: {} } : plain(asked),
    );
    expect(await at.run(RUN, { clock: hastyClock(50) })).toMatchObject({ code: 4 });
    expect(await statusOf(at)).toContain('Paused: The service refused the key');
  });

  it('says that the disk is full, so that nobody is called', async () => {
    const { store, campaign, clock } = await aScene({ leads: 2 });
    const world = fakeWorld({ cwd: tempFolder(), clock });
    const full = { ...store, claimGates: async () => [{ why: 'disk_full' as const, until: null }] };
    expect(await viewOf({ store, campaign, world })).toMatchObject({
      situation: { is: 'waiting', attention: null },
    });
    expect(await viewOf({ store: full, campaign, world })).toMatchObject({
      situation: { is: 'disk_full' },
      exit: {
        code: 5,
        attention: 'disk_full',
        why: expect.stringContaining('less than 64 MB free') as string,
      },
    });
  });

  it('says that calls in doubt hold all slots, until when, and what settles them', async () => {
    const { service, at } = await aServiceDesk(4);
    service.behave((asked) =>
      asked.operation === 'dial' ? { malice: 'cuts short', body: {} } : plain(asked),
    );
    await at.run([...RUN, '--concurrency', '1', '--set', 'unknown.reconcileFor=1s'], {
      clock: hastyClock(50),
    });
    expect(await statusOf(at)).toMatch(
      /Nobody is being called: 1 call in doubt holds the only slot, until \w{3} \S+ \S+ \S+; settle them: `npx callsheet resolve leads`/,
    );
  });

  it('shows no time of NEXT that is past', async () => {
    const { service, at } = await aServiceDesk(1);
    service.behave((asked) =>
      asked.operation === 'analytics'
        ? { body: { status: 'completed', duration: 0, outcome: 'no_answer', transcript: '' } }
        : plain(asked),
    );
    const retry = ['--set', 'retry.attempts=2', '--set', 'retry.after.no_answer=2h'];
    expect(await at.run([...RUN, ...retry], { clock: hastyClock(50) })).toMatchObject({ code: 3 });
    const nextAt = async (hours: number) => {
      const clock = { ...systemClock, now: () => systemClock.now() + hours * 3_600_000 };
      const [head = '', row = ''] = (await at.run(['list'], { clock })).out.split('\n');
      return row.slice(head.indexOf('NEXT'), head.indexOf('SERVICE')).trim();
    };
    expect(await nextAt(1)).toMatch(/^\w{3} \d{4}-/);
    expect(await nextAt(3)).toBe('-');
  });
});

describe('set', () => {
  it('refuses an agent that the service does not have, as the start does', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
    const { code, err } = await at.run(['set', 'leads', 'agent=ag_typo']);
    expect([code, oneLine(err)]).toEqual([2, expect.stringContaining('has no agent "ag_typo"')]);
    const { settings } = (await json(at, ['status', 'leads'])) as { settings: { agent: string } };
    expect(settings.agent).toBe('ag_1');
  });
});
