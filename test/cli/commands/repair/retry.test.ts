import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../../src/runtime/clock.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { talked, voiceServer, type Behaviour } from '../../../helpers/services/voice-server.ts';
import { aDesk, json, listed, PHONES, RUN } from '../desk.ts';

const [AL = '', BO = '', CY = ''] = PHONES;
const RETRY = ['retry', 'leads', '--results', 'no_answer'];

/** Al answers, Bo does not, and Cy's line is busy. */
const MIXED: Behaviour = {
  analytics: (_call, phone) => ({
    body:
      phone === AL
        ? talked(phone)
        : { status: 'completed', outcome: phone === BO ? 'no_answer' : 'busy' },
  }),
};

async function aCompletedCampaign() {
  const all = await aDesk(MIXED);
  expect((await all.at.run(RUN)).code).toBe(0);
  expect(await listed(all.at)).toMatchObject([{ state: 'completed' }]);
  return all;
}

/** A clock that does something when a command lets others work for the n-th time. */
function atTurn(n: number, does: () => void): Clock {
  let times = 0;
  return {
    ...systemClock,
    sleep: (ms, signal) => {
      if (ms === 0 && (times += 1) === n) does();
      return systemClock.sleep(ms, signal);
    },
  };
}

/** The command dies then. */
const killedAt = (n: number) =>
  atTurn(n, () => {
    throw new Error('killed');
  });

describe('retry', () => {
  it('lets those wait who have one of the results, says how often, and resume and run call them', async () => {
    const { at, service } = await aCompletedCampaign();

    const done = await at.run(['retry', 'leads', '--results', 'no_answer,busy']);

    expect(done).toEqual({
      code: 0,
      out: '',
      err:
        '2 people of "leads" may be called again (1 no_answer, 1 busy), each once more, within hours, rules, caps and budgets.\n' +
        '2 people of "leads" wait again. The campaign is completed and calls nobody yet: `npx callsheet run leads`.\n',
    });
    expect(service.dialled).toHaveLength(3);
    expect((await at.run(['resume', 'leads'])).code).toBe(0);
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.slice(3).toSorted()).toEqual([BO, CY]);
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled).toHaveLength(5);
    const history = await at.run(['explain', BO]);
    expect(history.out).toContain('let people be called again');
  });

  it('has counts as JSON, also of those who are left out', async () => {
    const { at } = await aCompletedCampaign();
    await at.run(['suppress', 'add', CY]);

    expect(await json(at, ['retry', 'leads', '--results', 'no_answer,busy'])).toEqual({
      ...{ campaign: 'leads', state: 'completed', people: 1, calls: 1 },
      results: [{ result: 'no_answer', people: 1 }],
      left: [{ why: 'suppressed', people: 1 }],
    });
    const again = await at.run(['retry', 'leads', '--results', 'busy']);
    expect(again.err).toBe(
      'Nobody in "leads" can be called again for that.\n1 person with these results is not: 1 suppressed.\n',
    );
  });

  it.each([
    ['answered', '"answered" is not allowed'],
    ['opted_out', '"opted_out" is not allowed'],
    ['no_answer,declined', '"declined" is not allowed'],
    ['invalid_number', 'nobody spoke and nobody refused'],
    ['wrong_number', 'it takes no_answer, busy, voicemail, failed, one or several with commas'],
    ['no-answer', '"no-answer" is not a result; did you mean no_answer?'],
    [',', 'Give --results, e.g. --results no_answer,busy: it takes'],
  ])('refuses --results %s, and says which there are', async (results, said) => {
    const { at, service } = await aDesk();
    await at.run(RUN);
    const refused = await at.run(['retry', 'leads', '--results', results]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(said) as string });
    expect(await listed(at)).toMatchObject([{ waiting: 0 }]);
    expect(service.dialled).toHaveLength(3);
  });

  it('is refused for a campaign that is cancelled, put away, or past its last day', async () => {
    const { at } = await aCompletedCampaign();
    const refusal = async () => (await at.run(RETRY)).err;
    await at.run(['set', 'leads', 'retry.attempts=2', 'retry.lastDay=2020-01-05']);
    expect(await refusal()).toContain('retry.lastDay 2020-01-05 has passed');
    await at.run(['set', 'leads', 'retry=none']);
    await at.run(['cancel', 'leads']);
    expect(await refusal()).toContain('it is cancelled');
    await at.run(['cancel', 'leads', '--archive']);
    expect(await refusal()).toContain('it is archived');
    expect((await at.run(RETRY)).code).toBe(2);
  });

  it('goes on after a kill, and lets nobody wait twice', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => `+1212555${String(n).padStart(4, '0')}`);
    const { at, service } = await aDesk({
      analytics: () => ({ body: { status: 'no_answer' } }),
    });
    at.write('many.csv', `phone\n${rows.join('\n')}\n`);
    const run = ['run', 'many.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
    expect((await at.run([...run, '--concurrency', '50'])).code).toBe(0);
    const dialled = service.dialled.length;
    const retry = ['retry', 'many', '--results', 'no_answer'];
    // The first page of 200 is committed, and then the process is gone.
    expect((await at.run(retry, { clock: killedAt(3) })).code).toBe(1);
    expect(await listed(at)).toMatchObject([{ waiting: 200 }]);
    await at.run(['resume', 'many']);
    await at.run(['run', 'many']);
    expect(service.dialled).toHaveLength(dialled + 200);

    const again = await at.run(retry);

    expect(again.err).toContain(
      '200 people with these results are not: 200 called again meanwhile',
    );
    expect(await listed(at)).toMatchObject([{ waiting: dialled - 200 }]);
    await at.run(['resume', 'many']);
    await at.run(['run', 'many']);
    expect(service.dialled).toHaveLength(dialled * 2);
  });

  it('after a kill at its last moment, names those it has let wait once, and is a new one then', async () => {
    const { at, service } = await aCompletedCampaign();
    const both = ['retry', 'leads', '--results', 'no_answer,busy'];
    await at.run(both);
    const db = new Sqlite(at.path('data/callsheet.db'));
    db.exec("DELETE FROM history WHERE what = 'campaign.retried'");
    db.close();
    await at.run(['resume', 'leads']);
    await at.run(['run', 'leads']);
    expect(service.dialled).toHaveLength(5);
    // Another choice does not hide the one that was interrupted, nor does a part of it.
    await at.run(['retry', 'leads', '--results', 'failed']);
    expect((await at.run(RETRY)).err).toContain('is not: 1 called again meanwhile');
    expect(await listed(at)).toMatchObject([{ waiting: 0 }]);
    expect((await at.run(both)).err).toContain('are not: 2 called again meanwhile');
    expect((await at.run(both)).err).toContain('2 people of "leads" wait again');
  });

  it('that is stopped after the last person waits has come to its end, and hides nobody later', async () => {
    const { at, service } = await aCompletedCampaign();
    let stop: ((signal: 'SIGINT') => void) | undefined;
    const onSignal = (listener: typeof stop) => {
      stop = listener;
      return () => undefined;
    };
    const clock = atTurn(2, () => stop?.('SIGINT'));

    await at.run(RETRY, { clock, onSignal });

    expect(await listed(at)).toMatchObject([{ waiting: 1 }]);
    await at.run(['resume', 'leads']);
    await at.run(['run', 'leads']);
    expect(service.dialled).toHaveLength(4);
    expect((await at.run(['retry', 'leads', '--results', 'no_answer,busy'])).err).toContain(
      '2 people of "leads" wait again',
    );
  });

  it('asks on a live service for the number of people, and needs --yes off a terminal', async () => {
    const service = await voiceServer({ analytics: () => ({ body: { status: 'no_answer' } }) });
    const at = desk({ VOICE_API_KEY: 'k' });
    at.write('leads.csv', `phone\n${[0, 1].map(livePhone).join('\n')}\n`);
    const given = { connect: leadTo({ [LIVE]: service.url }) };
    const live = ['--service-url', LIVE, '--rules', 'always', '--new-db'];
    expect(
      (await at.run([...RUN, ...live, '--db', 'data/callsheet.db', '--yes'], given)).code,
    ).toBe(0);

    const refused = await at.run(RETRY);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('needs a yes') as string,
    });
    expect((await at.run(RETRY, { typed: 'yes\n' })).code).toBe(2);
    expect(await listed(at)).toMatchObject([{ waiting: 0 }]);
    expect((await at.run(RETRY, { typed: 'yes 2\n' })).code).toBe(0);
    expect(await listed(at)).toMatchObject([{ waiting: 2 }]);
  });
});
