import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDetail } from '../../../src/views/campaigns.ts';
import type { Filters, People, Person } from '../../../src/views/people.ts';
import type { Summary } from '../../../src/views/results.ts';
import type { PlanView } from '../../../src/views/plan.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';

const NAMES = ['Ann Ash', 'Ben Birch', 'Cleo Cedar', 'Dora Dogwood', 'Eve Elm', 'Finn Fir'];
const LIST = `name,phone\n${NAMES.map((name, n) => `${name},+1212555010${n}`).join('\n')}\n`;

let console: TestConsole;
beforeAll(async () => {
  const here = desk({}, afterAll);
  here.write('trees.csv', LIST);
  here.write('later.csv', LIST);
  const service = [
    '--service',
    'simulated',
    '--set',
    'polling.floor=20ms',
    '--set',
    'polling.ceiling=100ms',
  ];
  const ran = await here.run(['run', 'trees.csv', '--concurrency', '6', ...service]);
  expect(ran.code).toBe(0);
  for (const name of ['later', 'never'])
    expect((await here.run(['import', name, 'later.csv', '--again', ...service])).code).toBe(0);
  console = await startTestConsole({ folder: here.cwd, io: { clock: hastyClock(20) } });
});
afterAll(async () => {
  await console.close();
});

const at = '/api/v1/campaigns/trees';

describe('people of a campaign over HTTP', () => {
  it('come page by page', async () => {
    const first = await console.json<People>('GET', `${at}/people?limit=4`);
    expect(first).toMatchObject({ total: 6, columns: ['name', 'phone'] });
    expect(first.items.map(({ name }) => name)).toEqual(NAMES.slice(0, 4));
    const second = await console.json<People>(
      'GET',
      `${at}/people?limit=4&after=${first.next ?? ''}`,
    );
    expect(second.items.map(({ name }) => name)).toEqual(NAMES.slice(4));
    expect(second.next).toBeNull();
  });

  it.each(['limit=0', 'limit=201', 'limit=1.5', 'list=0'])('are refused for %s', async (query) => {
    expect((await console.ask('GET', `${at}/people?${query}`)).status).toBe(400);
  });

  it('are found by number and by a part of the name, and counted by what they can be chosen by', async () => {
    for (const text of ['+12125550102', 'cedar'])
      expect(
        (await console.json<People>('GET', `${at}/people?text=${encodeURIComponent(text)}`)).items,
      ).toMatchObject([{ name: 'Cleo Cedar', phone: '+12125550102', id: '1-4' }]);
    const filters = await console.json<Filters>('GET', `${at}/filters`);
    expect(filters).toMatchObject({ total: 6, lists: [{ number: 1, people: 6 }] });
    for (const { result, people } of filters.results) {
      const { items, total } = await console.json<People>('GET', `${at}/people?result=${result}`);
      expect([items.length, total]).toEqual([people, people]);
    }
  });

  it('have their story and their calls with what was said', async () => {
    const { items } = await console.json<People>('GET', `${at}/people?result=answered`);
    const story = await console.json<Person>('GET', `${at}/people/${items[0]?.id ?? '1-2'}`);
    expect(story.story.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/joined as line \d of trees.csv/),
    );
    expect(story.story.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('call 1 ended: answered'),
    );
    expect(story.calls).toHaveLength(1);
    if (items.length > 0) expect(story.calls[0]?.turns?.length).toBeGreaterThan(0);
  });

  it('have their names beside their numbers where calls end, for a viewer, too', async () => {
    for (const role of ['operator', 'viewer'] as const) {
      const { ended } = await console.json<CampaignDetail>('GET', at, undefined, role);
      expect(ended.map(({ name }) => name).toSorted()).toEqual(NAMES);
      expect(ended.every(({ phone }) => /•|\*/.test(phone) === (role === 'viewer'))).toBe(true);
    }
  });

  it('are masked for a viewer, who reads nothing that was said, and may not look whole numbers up', async () => {
    const text = JSON.stringify([
      await console.json('GET', `${at}/people`, undefined, 'viewer'),
      ...(await Promise.all(
        [2, 3, 4, 5, 6, 7].map((line) =>
          console.json<Person>('GET', `${at}/people/1-${line}`, undefined, 'viewer'),
        ),
      )),
    ]);
    expect(text).not.toMatch(/\+1212555010\d/);
    expect(text).not.toContain('"speaker"');
    const { calls } = await console.json<Person>('GET', `${at}/people/1-2`, undefined, 'viewer');
    const unsaid = { turns: null, transcript: null, summary: null, raw: null, extracted: null };
    expect(calls).toMatchObject([{ ...unsaid, capturedLeads: null, recordingUrl: null }]);
    for (const path of ['results', 'captured-leads']) {
      const answer = await console.ask('GET', `${at}/${path}`, undefined, { role: 'viewer' });
      expect(answer.status).toBe(403);
    }
  });

  it('are withdrawn and brought back one by one, and suppressed for good', async () => {
    const later = '/api/v1/campaigns/later/people/1-2';
    const states = async () =>
      (await console.json<People>('GET', '/api/v1/campaigns/later/people')).items[0];
    await console.json('POST', `${later}/cancel`, { undo: false });
    expect(await states()).toMatchObject({ state: 'done', result: 'cancelled' });
    await console.json('POST', `${later}/cancel`, { undo: true });
    expect(await states()).toMatchObject({ state: 'waiting' });
    await console.json('POST', `${later}/suppress`, { note: 'asked for it' });
    expect(await states()).toMatchObject({ state: 'done', result: 'suppressed' });
    const { id } = await console.json<Job>('POST', '/api/v1/campaigns/later/start', {
      again: true,
    });
    await console.jobEnd(id);
    const { calls } = await console.json<Person>('GET', later);
    expect(calls.filter(({ state }) => state !== 'released')).toEqual([]);
  });

  it('that nobody is, are not found', async () => {
    for (const person of ['1-99', '9-2'])
      expect((await console.ask('GET', `${at}/people/${person}`)).status).toBe(404);
    expect((await console.ask('GET', `${at}/people/nobody`)).status).toBe(400);
  });
});

describe('all people who match, over HTTP', () => {
  const never = '/api/v1/campaigns/never';

  /** Orders it, and answers its question with `say`; null: no. */
  async function changed(order: object, say: (word: string) => string | null, campaign = never) {
    const { id } = await console.json<Job>('POST', `${campaign}/people`, order);
    for (;;) {
      const job = await console.json<Job>('GET', `/api/v1/jobs/${id}`);
      if (job.endedAt !== null) return job;
      if (job.question === null) continue;
      const { id: question, word } = job.question;
      const answer = say(word ?? '');
      await console.json('POST', `/api/v1/jobs/${id}/answer`, { question, answer });
    }
  }
  const statesIn = async (campaign = never) =>
    (await console.json<People>('GET', `${campaign}/people`)).items.map(
      ({ state, result }) => result ?? state,
    );

  it('are withdrawn or suppressed after a question with their number, and by nothing else', async () => {
    const before = await statesIn();
    const withdraw = { does: 'withdraw', among: { text: 'cedar' } };
    for (const say of [() => null, () => 'yes', () => 'yes 7'])
      expect((await changed(withdraw, say)).problem?.code).toBe('NOT_CONFIRMED');
    expect(await statesIn()).toEqual(before);

    const words: string[] = [];
    const yes = (word: string) => (words.push(word), word);
    await changed({ does: 'withdraw', among: { text: 'elm', state: 'waiting' } }, yes);
    await changed({ does: 'suppress', among: { text: 'dora' } }, yes);

    expect(words).toEqual(['yes 1', 'yes 1']);
    expect((await statesIn()).slice(3, 5)).toEqual(['suppressed', 'cancelled']);
    expect((await statesIn()).filter((word) => word === 'waiting')).toHaveLength(3);
  });

  it('are called again one by one where nobody reached them, else with the reason', async () => {
    const before = (await console.json<People>('GET', `${at}/people`)).items;
    const missed = before.find(({ result }) =>
      ['no_answer', 'busy', 'failed'].includes(result ?? ''),
    );
    const reached = before.find(({ result }) => result === 'answered');
    const one = (id = '') => `${at}/people/${id}`;
    const canOf = async (id?: string) => {
      const { can, notRetried } = await console.json<Person>('GET', one(id));
      return [can.retry, notRetried];
    };
    const why = 'only people whom nobody reached and who refused nothing are';
    expect(await canOf(reached?.id)).toEqual([false, why]);
    expect((await console.ask('POST', `${one(reached?.id)}/retry`, {})).status).toBe(422);
    expect(await canOf(missed?.id)).toEqual([true, null]);
    await console.json('POST', `${one(missed?.id)}/retry`, {});
    expect(await canOf(missed?.id)).toEqual([false, null]);
    const after = (await console.json<People>('GET', `${at}/people`)).items;
    expect(after.map(({ id, state }) => [id, state])).toEqual(
      before.map(({ id, state }) => [id, id === missed?.id ? 'waiting' : state]),
    );
    const again = after.find(({ id }) => id === missed?.id);
    expect(again).toMatchObject({ result: null, lastResult: missed?.result });
    await console.json('POST', `${one(missed?.id)}/cancel`, {});
    expect(await canOf(missed?.id)).toEqual([false, why]);
    await console.json('POST', `${one(missed?.id)}/cancel`, { undo: true });
  });

  it('are called again where they were not reached, by the filter, also without a result in it', async () => {
    const missed = ['no_answer', 'busy', 'voicemail', 'failed'];
    const before = await statesIn(at);
    const people = before.filter((word) => missed.includes(word)).length;
    const job = await changed({ does: 'retry', among: {} }, (word) => word, at);
    expect(job).toMatchObject({ kind: 'many', result: { people }, problem: null });
    expect(await statesIn(at)).toEqual(
      before.map((word) => (missed.includes(word) ? 'waiting' : word)),
    );
    const refused = await changed({ does: 'retry', among: { result: 'answered' } }, () => null, at);
    expect(refused.problem?.detail).toContain('is not allowed');
  });

  it('are exported as they are filtered', async () => {
    const answer = await console.ask('GET', `${at}/results?format=csv&text=cedar&columns=name`);
    expect((await answer.text()).trim().split(/\r?\n/)).toEqual(['name', 'Cleo Cedar']);
  });
});

describe('a new campaign of people of another one, over HTTP', () => {
  const NEWS = '/api/v1/campaigns/news';
  beforeAll(async () => {
    const here = desk({}, afterAll);
    here.write(
      'news.csv',
      `Kontakt,name,note\n${NAMES.map((name, n) => `1212555012${n},${name},=${n}`).join('\n')}\n`,
    );
    const set = ['--country', 'US', '--set', 'skipCalled=ever', '--set', 'stop.calls=7'];
    const given = ['--service', 'simulated', '--map', 'phone=Kontakt', '--again', ...set];
    const done = await here.run(['import', 'news', here.path('news.csv'), ...given], {
      cwd: console.folder,
    });
    expect(done.code).toBe(0);
  });
  const drafted = async (among: object, role: 'operator' | 'viewer' = 'operator') => {
    const job = await console.json<Job>('POST', `${NEWS}/draft`, { among }, role);
    return console.jobEnd(job.id);
  };

  it('leaves out who is still to be called, and is not begun for nobody', async () => {
    const { problem } = await drafted({});
    expect(problem?.detail).toBe(
      'A new campaign would have nobody on its list. 6 people found are not: 6 still to be called by their campaign.',
    );
    expect((await console.ask('GET', '/api/v1/campaigns/news-again')).status).toBe(404);
    expect(await console.json('GET', '/api/v1/uploads')).toMatchObject({ items: [] });
  });

  it('has their rows, read as before, the settings of their campaign, and calls nobody', async () => {
    for (const line of [2, 3]) await console.json('POST', `${NEWS}/people/1-${line}/cancel`, {});
    await console.json('POST', `${NEWS}/people/1-4/suppress`, {});

    const { result, messages } = await drafted({});

    expect(result).toEqual({ people: 2, draft: 'news-again' });
    expect(messages.map(({ text }) => text)).toEqual([
      '2 people are on the list of the new campaign "news-again", which has the settings of "news" and calls nobody before it is started.',
      '4 people found are not: 1 suppressed, 3 still to be called by their campaign.',
    ]);
    const draft = '/api/v1/campaigns/news-again';
    const shown = await console.json<CampaignDetail>('GET', draft);
    expect(shown).toMatchObject({ state: 'draft', total: 0, service: 'simulated' });
    expect(shown.settings).toMatchObject({ country: 'US', 'stop.calls': '7', skipCalled: 'none' });
    const { id } = await console.json<Job>('POST', `${draft}/import`, { again: true });
    await console.jobEnd(id);
    const { items, columns } = await console.json<People>('GET', `${draft}/people`);
    expect(columns).toEqual(['Kontakt', 'name', 'note']);
    expect(items.map(({ name, cells }) => [name, cells[2]])).toEqual([
      ['Ann Ash', '=0'],
      ['Ben Birch', '=1'],
    ]);
    expect(items.every(({ attempts, state }) => attempts === 0 && state === 'waiting')).toBe(true);
  });

  it('has also those whom a cancelled campaign calls no more', async () => {
    await console.json('POST', `${NEWS}/cancel`, { yes: true });
    expect((await drafted({ text: 'f' })).result).toEqual({ people: 1, draft: 'news-again-2' });
    const { result } = await drafted({ text: 'd', people: '1-5,1-6' });
    expect(result).toEqual({ people: 1, draft: 'news-again-3' });
    expect((await console.ask('POST', `${NEWS}/draft`, { among: { people: '1' } })).status).toBe(
      400,
    );
  });

  it('calls no number of a column that the list of a person ignores, though another list has its numbers there', async () => {
    const here = desk({}, afterAll);
    here.write('one.csv', 'Phone,Mobile\n12125550140,12125550141\n');
    here.write('two.csv', 'Phone,Mobile\n,12125550142\n');
    const flags = ['--service', 'simulated', '--country', 'US', '--again'];
    const both = [
      ['one', 'phone=Phone', 'ignore=Mobile'],
      ['two', 'phone=Mobile', 'ignore=Phone'],
    ] as const;
    for (const [list, ...maps] of both) {
      const map = maps.flatMap((one) => ['--map', one]);
      const given = ['import', 'mixed', here.path(`${list}.csv`), ...flags, ...map];
      expect((await here.run(given, { cwd: console.folder })).code).toBe(0);
    }
    await console.json('POST', '/api/v1/campaigns/mixed/cancel', { yes: true });
    const job = await console.json<Job>('POST', '/api/v1/campaigns/mixed/draft', { among: {} });
    expect((await console.jobEnd(job.id)).result).toEqual({ people: 2, draft: 'mixed-again' });
    const draft = '/api/v1/campaigns/mixed-again';
    const { id } = await console.json<Job>('POST', `${draft}/import`, { again: true });
    await console.jobEnd(id);
    const { items } = await console.json<People>('GET', `${draft}/people`);
    expect(items.map(({ phone, cells }) => [phone, ...cells])).toEqual([
      ['+12125550140', '12125550140', ''],
      ['+12125550142', '', '12125550142'],
    ]);
  });

  it('has a plan that names the campaign that has called them, and costs them by its calls', async () => {
    const here = desk({}, afterAll);
    const phones = Array.from({ length: 40 }, (_, n) => `+121255502${String(n).padStart(2, '0')}`);
    here.write('forty.csv', `phone\n${phones.join('\n')}\n`);
    // As a campaign that is made in the console and rehearsed.
    const flags = [
      ...['--service', 'simulated', '--db', 'data/callsheet.db', '--concurrency', '40'],
      ...['--set', 'polling.floor=20ms', '--set', 'polling.ceiling=100ms'],
    ];
    const ran = await here.run(['run', here.path('forty.csv'), ...flags], { cwd: console.folder });
    expect(ran.code).toBe(0);
    const among = { result: 'answered' };
    const job = await console.json<Job>('POST', '/api/v1/campaigns/forty/draft', { among });
    const { draft, people } = (await console.jobEnd(job.id)).result as {
      draft: string;
      people: number;
    };
    const planned = await console.json<Job>('POST', `/api/v1/campaigns/${draft}/plan`, {});
    const plan = (await console.jobEnd(planned.id)).result as PlanView;
    expect(plan.calledBefore).toMatchObject({ people, campaigns: [{ name: 'forty', people }] });
    expect(plan.notes.join(' ')).toContain(`${people} by "forty"`);
    expect(plan.forecast?.seen.of).toBe('agent');
  });

  it('is not for a viewer, and the log names who began it', async () => {
    const asViewer = await console.ask('POST', `${NEWS}/draft`, { among: {} }, { role: 'viewer' });
    expect(asViewer.status).toBe(403);
    const log = await console.json<object>('GET', '/api/v1/log', undefined, 'admin');
    expect(JSON.stringify(log)).toContain(
      'operator asked to begin another campaign with people of the campaign \\"news\\".',
    );
  });
});

describe('results of a campaign over HTTP', () => {
  it('are the bytes of the command line, in every format and selection', async () => {
    const here = desk({});
    for (const [query, flags] of [
      ['format=csv', ['--format', 'csv']],
      ['format=excel', ['--format', 'excel']],
      ['format=jsonl', ['--format', 'jsonl']],
      ['format=csv&per=attempt', ['--format', 'csv', '--per', 'attempt']],
      ['format=csv&columns=name,call_result', ['--format', 'csv', '--columns', 'name,call_result']],
      ['format=csv&only=answered,voicemail', ['--format', 'csv', '--only', 'answered,voicemail']],
    ] as const) {
      const answer = await console.ask('GET', `${at}/results?${query}`);
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      const { out } = await here.run(['export', 'trees', ...flags, '-o', '-'], {
        cwd: console.folder,
      });
      expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(out);
    }
  });

  it('of an unknown column are refused before the first byte', async () => {
    const answer = await console.ask('GET', `${at}/results?columns=nothing`);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('problem+json');
  });

  it('are summed up, and reported on a page that runs nothing', async () => {
    const summary = await console.json<Summary>('GET', `${at}/summary`);
    expect(summary.figures.leads).toMatchObject({ total: 6, done: expect.any(Number) as number });
    const report = await console.ask('GET', `${at}/report`);
    expect(await report.text()).toContain('<html');
    const policy = report.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toMatch(/script-src[^;]*'unsafe/);
  });
});
