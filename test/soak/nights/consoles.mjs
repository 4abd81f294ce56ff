// Both consoles, asked as programs ask: what one shows the other one shows, too.
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { command } from './desk.mjs';

const WITHIN_MS = 20_000;
/** Sentences say the time at which a console was asked: a real second is ten minutes here. */
const ASKED_AT = /(?<=\(it is )[A-Z][a-z]{2} \d\d:\d\d(?= in )/g;

/** Leaves out what belongs to a console and not to the campaign: when it was asked, and the pace that it has watched. */
function sameForBoth(key, value) {
  if (key === 'perMinute') return null;
  return typeof value === 'string' ? value.replaceAll(ASKED_AT, 'then') : value;
}

/** @returns a sentence for each address at which two machines answer differently, or not as they should */
export async function differences(machines, servers, how) {
  const tokens = [];
  for (const machine of machines)
    tokens.push(
      (await command(machine, ['tokens', 'add', machine.name, '--role', 'viewer'], how)).trim(),
    );
  const until = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await compared(servers, tokens).catch((error) => [`the consoles: ${error}`]);
    if (found.length === 0 || Date.now() > until) return found;
    // One was killed a moment ago, or something was written between two answers.
    await sleep(500);
  }
}

async function compared(servers, tokens) {
  const ask = (path) =>
    Promise.all(
      servers.map(async ({ said }, i) => {
        const url = /The console is at (http:[^\s;]+)/.exec(said())?.[1];
        const headers = { authorization: `Bearer ${tokens[i]}` };
        const answer = await fetch(`${url}/api/v1/${path}`, { headers });
        if (!answer.ok) throw new Error(`${answer.status} at ${path}: ${await answer.text()}`);
        return JSON.parse(await answer.text(), sameForBoth);
      }),
    );
  const lists = await ask('campaigns');
  const names = lists[0].items.map(({ name }) => name);
  const paths = names.flatMap((name) =>
    ['', '/summary', '/nights', '/people'].map((rest) => `campaigns/${name}${rest}`),
  );
  const found = [];
  for (const path of ['campaigns', ...paths]) {
    const [one, other] = await ask(path);
    if (!isDeepStrictEqual(one, other))
      found.push(`${path} differs: ${JSON.stringify(one)} and ${JSON.stringify(other)}`);
  }
  return found;
}
