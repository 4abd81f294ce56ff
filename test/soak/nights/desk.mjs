// The folder of a campaign of three nights: its list, its settings, and what is read from it in the end.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { phoneOf } from '../phones.mjs';
import { callsheet, KEY } from '../processes.mjs';
import { COMMAND } from './receiver.mjs';
import { KEY_FILE } from './troubles.mjs';

export const NAME = 'spring';
/** On a disk of its own, that can be full. */
export const DB = 'disk/nights.db';

/** @returns the numbers on the list, in turn */
export function writeDesk(folder, { leads, budget, concurrency, service, receiver, plan }) {
  mkdirSync(join(folder, 'campaigns'), { recursive: true });
  const phones = Array.from({ length: leads }, (_, i) => phoneOf(i));
  writeFileSync(join(folder, 'leads.csv'), `phone\n${phones.join('\n')}\n`);
  const told = [
    { on: EVENTS, url: receiver, secretEnv: 'SOAK_NOTICES' },
    { on: EVENTS, command: COMMAND },
  ];
  const services = { main: { url: service, keyFile: `../${KEY_FILE}` }, notify: told };
  writeFileSync(join(folder, KEY_FILE), `${KEY}\n`, { mode: 0o600 });
  // JSON is YAML, too.
  writeFileSync(join(folder, 'campaigns/services.yaml'), JSON.stringify(services));
  const campaign = {
    ...{ leads: '../leads.csv', agent: 'ag_demo', service: 'main', timezone: plan.zone },
    ...{ concurrency, requests: 16, hours: plan.hours, schedule: plan.schedule },
    ...{ stop: { calls: budget }, results: { file: plan.results } },
    ...{ unknown: { reconcileFor: '5m' } },
  };
  writeFileSync(join(folder, `campaigns/${NAME}.yaml`), JSON.stringify(campaign));
  return phones;
}

const EVENTS = ['started', 'finished', 'attention'];

/** Runs a command to its end. @returns its output @throws when it exits with anything but 0 */
export async function command(folder, args, how) {
  const run = callsheet(folder, 'commands', [...args, '--db', DB], how);
  const { code } = await run.ended;
  if (code !== 0) throw new Error(`callsheet ${args.join(' ')}: exit ${code}\n${run.said.err}`);
  return run.said.out;
}

export function serve(folder, name, how) {
  return callsheet(folder, name, ['serve', '--port', '0', '--db', DB], how);
}

/** The scheduled times at which callsheet has called, as it has written down itself, epoch ms. */
export function firingsOf(folder) {
  return read(folder, (db) =>
    db.prepare("SELECT at FROM firings WHERE met <> 'told'").pluck().all(),
  );
}

/** How many notices are still on their way. */
export function undelivered(folder) {
  return read(folder, (db) =>
    db.prepare('SELECT count(*) FROM outbox WHERE done IS NULL OR why IS NOT NULL').pluck().get(),
  );
}

function read(folder, question) {
  const db = new Database(join(folder, DB), { readonly: true });
  try {
    return question(db);
  } finally {
    db.close();
  }
}
