// The folder of a campaign of three nights: its list, its settings, and what is read from it in the end.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { callsheet } from '../processes.mjs';
import { COMMAND } from './receiver.mjs';

export const NAME = 'spring';
const DB = 'nights.db';
/** Area codes; a hundred numbers kept for fiction in each. */
const AREAS = (
  '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 ' +
  '253 254 256 260 262 267 269 270 272 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 ' +
  '320 321 323 325 330 331 334 336 337 339 346 347 351 352 360 361 364 380 385 386 401 402 404 405 406 407 408 409'
).split(' ');
export const MOST_LEADS = AREAS.length * 100;

/** @returns the numbers on the list, in turn */
export function writeDesk(folder, { leads, budget, concurrency, service, receiver, plan }) {
  mkdirSync(join(folder, 'campaigns'), { recursive: true });
  const phones = Array.from({ length: leads }, (_, i) => {
    const last = String(100 + (i % 100)).padStart(4, '0');
    return `+1${AREAS[Math.floor(i / 100)]}555${last}`;
  });
  writeFileSync(join(folder, 'leads.csv'), `phone\n${phones.join('\n')}\n`);
  const told = [
    { on: EVENTS, url: receiver, secretEnv: 'SOAK_NOTICES' },
    { on: EVENTS, command: COMMAND },
  ];
  const services = { main: { url: service }, notify: told };
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

/** The schedule's firings that callsheet has written down, epoch ms. */
export function firingsOf(folder) {
  return read(folder, (db) => {
    const hasTable = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'firings'").get();
    if (hasTable !== undefined) return db.prepare('SELECT at FROM firings').pluck().all();
    const fired = db.prepare("SELECT detail FROM history WHERE what = 'schedule.called'");
    return fired
      .pluck()
      .all()
      .map((detail) => JSON.parse(detail).at);
  });
}

/** How many notices are still on their way. */
export function undelivered(folder) {
  return read(folder, (db) =>
    db.prepare("SELECT count(*) FROM notice_sends WHERE state <> 'sent'").pluck().get(),
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
