// How long the table of a million people takes over HTTP, in a process that has just started and later, alone and while
// the same process calls another campaign with 500 calls in progress; and with how much memory.
import { CAMPAIGN, numberOf, RAREST } from './database.mjs';
import { startConsole } from './server.mjs';
import { startRun } from './run-by-console.mjs';
import { openPages } from './pages.mjs';
import { check, heading, median } from '../measure.mjs';

const AT = `/api/v1/campaigns/${CAMPAIGN}`;

export async function measureRequests({ db, folder, leads, times, service, goals }) {
  const empty = await startConsole({ db: `${folder}/empty.db`, folder });
  await empty.ask('/api/v1/campaigns');
  const idle = empty.memory();
  await empty.stop();

  heading('the first request of a process');
  const all = requestsOf(leads, goals);
  for (const what of ['first page', 'a page in the middle', 'a number', 'a part of a name, rare']) {
    const server = await startConsole({ db, folder });
    const { path, goal } = all.find((one) => one.what === what);
    check(what, (await server.ask(path)).ms, goal, { unit: 'ms' });
    await server.stop();
  }

  const server = await startConsole({ db, folder, services: service.file });
  try {
    heading(`${times} times each`);
    await measureAll(server, all, times);
    check('memory beyond an idle console', server.memory().peak - idle.peak, goals.memory, {
      unit: 'MB',
    });
    console.log(
      `    (peak ${server.memory().peak.toFixed(0)} MB, idle ${idle.peak.toFixed(0)} MB)`,
    );
    const run = await startRun(server, service, { name: 'busy', callMs: 2_000 });
    const pages = openPages(server, [CAMPAIGN, CAMPAIGN, 'busy', 'busy', 'busy']);
    heading('while it calls, 500 calls in progress, five pages open');
    await run.reaches(500);
    await measureAll(server, all, Math.max(3, Math.floor(times / 2)));
    const { calling, done, waiting } = await run.progress();
    console.log(
      `    (${done} done, ${calling} in progress, ${waiting} wait; peak ${server.memory().peak.toFixed(0)} MB)`,
    );
    pages.close();
    await run.cancel();
  } finally {
    await server.stop();
  }
}

async function measureAll(server, requests, times) {
  for (const { what, path, goal, finds } of requests) {
    const took = [];
    for (let time = 0; time < times; time++) {
      const { ms, status, body } = await server.ask(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      const found = JSON.parse(body).items?.length;
      if (finds !== undefined && finds !== found)
        throw new Error(`${what}: ${found}, not ${finds}`);
      took.push(ms);
    }
    const most = Math.max(...took).toFixed(0);
    check(`${what} (first ${took[0].toFixed(0)}, most ${most})`, median(took), goal, {
      unit: 'ms',
    });
  }
}

function requestsOf(leads, goals) {
  const middle = Math.floor(leads / 2);
  const after = `1:${Math.floor(leads / 3)}`;
  const people = (what, query, goal, finds) => {
    return { what, path: `${AT}/people?${new URLSearchParams(query)}`, goal, finds };
  };
  return [
    people('first page', {}, goals.page, 100),
    people('first page of who waits', { state: 'waiting' }, goals.page, 100),
    people('first page of a result', { result: 'busy' }, goals.page, 100),
    people('first page of a zone', { zone: 'America/Denver' }, goals.page, 100),
    people(
      'first page of a zone and a result',
      { zone: 'America/Denver', result: 'busy' },
      goals.page,
    ),
    people('first page of a sentiment', { sentiment: 'negative' }, goals.page, 100),
    people('first page of a sentiment that nobody has', { sentiment: 'angry' }, goals.name, 0),
    people('first page of the second list', { list: 2 }, goals.page, 100),
    people('a page in the middle', { after }, goals.page, 100),
    people('a page of who waits in the middle', { state: 'waiting', after }, goals.page, 100),
    people('a page of a zone in the middle', { zone: 'America/Denver', after }, goals.page, 100),
    people('a number', { text: numberOf(middle) }, goals.number, 1),
    people('a number without +1', { text: numberOf(middle).slice(2) }, goals.number, 1),
    people('a number that nobody has', { text: '+12125550199' }, goals.number),
    people('the first digits of a number', { text: numberOf(middle).slice(0, 9) }, goals.number),
    people('the last digits of a number', { text: numberOf(middle).slice(-7) }, goals.name),
    people('a part of a name, frequent', { text: 'oak' }, goals.name, 100),
    people('a part of a name, rare', { text: RAREST.slice(1, 9) }, goals.name, 1),
    people('two words, rare', { text: `maria ${RAREST}` }, goals.name),
    people('a part of a name, absent', { text: 'qqqq' }, goals.name, 0),
    { what: 'filters with their counts', path: `${AT}/filters`, goal: goals.page },
    { what: 'the campaign with its figures', path: AT, goal: goals.page },
    { what: 'all campaigns', path: '/api/v1/campaigns', goal: goals.page },
  ];
}
