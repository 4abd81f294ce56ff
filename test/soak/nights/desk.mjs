// The folder of campaigns of three nights: their lists, their settings, and what is read from it in the end.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { phoneOf } from '../phones.mjs';
import { callsheet, KEY } from '../processes.mjs';
import { COMMAND } from './receiver.mjs';
import { KEY_FILE } from './troubles.mjs';

/**
 * @param campaigns each with its `name`, the number of its `leads`, what `stop` says of a night, and `concurrency`
 * @returns the numbers on the lists by the names of the campaigns, in turn
 */
export function writeDesk(folder, { campaigns, service, receiver, plan }) {
  mkdirSync(join(folder, 'campaigns'), { recursive: true });
  const told = [
    { on: EVENTS, url: receiver, secretEnv: 'SOAK_NOTICES' },
    { on: EVENTS, command: COMMAND },
  ];
  const services = { main: { url: service, keyFile: `../${KEY_FILE}` }, notify: told };
  writeFileSync(join(folder, KEY_FILE), `${KEY}\n`, { mode: 0o600 });
  // JSON is YAML, too.
  writeFileSync(join(folder, 'campaigns/services.yaml'), JSON.stringify(services));
  const phones = {};
  let first = 0;
  for (const { name, leads, stop, concurrency } of campaigns) {
    const from = first;
    phones[name] = Array.from({ length: leads }, (_, i) => phoneOf(from + i));
    first += leads;
    writeFileSync(join(folder, `${name}.csv`), `phone\n${phones[name].join('\n')}\n`);
    const campaign = {
      ...{ leads: `../${name}.csv`, agent: 'ag_demo', service: 'main', timezone: plan.zone },
      ...{ concurrency, requests: 16, hours: plan.hours, schedule: plan.schedule },
      ...{ stop, results: { file: `../${resultsOf(name)}` }, unknown: { reconcileFor: '5m' } },
    };
    writeFileSync(join(folder, `campaigns/${name}.yaml`), JSON.stringify(campaign));
  }
  return phones;
}

/** Results of each night under its date. */
export function resultsOf(name, date = '{date}') {
  return `results/${name}-${date}.csv`;
}

const EVENTS = ['started', 'finished', 'attention'];

/** Runs a command on a machine to its end. @returns its output @throws when it exits with anything but 0 */
export async function command({ folder, db }, args, how) {
  const run = callsheet(folder, 'commands', [...args, '--db', db], how);
  const { code } = await run.ended;
  if (code !== 0) throw new Error(`callsheet ${args.join(' ')}: exit ${code}\n${run.said.err}`);
  return run.said.out;
}

export function serve({ folder, name, db, proxy }, how) {
  const beside = proxy === undefined ? [] : ['--console', '--console-port', '0'];
  return callsheet(folder, name, ['serve', '--port', '0', ...beside, '--db', db], how);
}

/** The scheduled times at which callsheet has called a campaign, as it has written down itself, epoch ms. */
export function firingsOf(place, name) {
  const query = `SELECT at FROM firings JOIN campaigns ON id = campaign_id WHERE met <> 'told' AND name = ?`;
  return place.read(query, name);
}

/** How many notices are still on their way. */
export async function undelivered(place) {
  const query = 'SELECT count(*) FROM outbox WHERE done IS NULL OR why IS NOT NULL';
  return (await place.read(query))[0];
}
