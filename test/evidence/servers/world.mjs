// A world of a round: a database on a server, the embedded service, and machines that call five campaigns, each
// through a proxy of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { phoneOf } from '../../soak/phones.mjs';
import { callsheet, freePort, KEY } from '../../soak/processes.mjs';
import { makeMachine } from './machine.mjs';
import { startProxy } from './proxy.mjs';

export const DATABASE = 'calls';
const SCHEMA = 'callsheet';
const SECRET = `whsec_${Buffer.from('a secret of the servers evidence').toString('base64')}`;
/** Calls at once at the service, over all campaigns. */
export const MAX_CALLS = 60;
/** A call may begin 5 s after its claim and lasts 5.8 s at most. */
const LONGEST_CALL = '14s';
const COMMON = {
  agent: 'ag_demo',
  service: 'main',
  country: 'US',
  rules: 'always',
  requests: 12,
  longestCall: LONGEST_CALL,
  polling: { floor: '200ms', ceiling: '2s', deadline: '5m' },
  unknown: { reconcileFor: '5s' },
};

/**
 * The campaigns, each with the part of `people` that it has, and where its numbers begin among them.
 * `most`: a number rings so often at most; `budget`: calls in all; `after`: none in another campaign may have rung before
 */
export function campaignsFor(people) {
  const part = (share) => Math.ceil(people * share);
  return [
    { name: 'plain', from: 0, to: part(0.45), most: 1, concurrency: 24 },
    {
      ...{ name: 'retried', from: part(0.45), to: part(0.7), most: 2, concurrency: 16 },
      settings: {
        retry: {
          ...{ attempts: 2, perDay: 2, gap: '1s' },
          after: { no_answer: '2s', busy: '2s', voicemail: 'none' },
        },
      },
      again: { results: ['no_answer', 'busy'], afterMs: 2_000 },
    },
    {
      ...{ name: 'skipping', from: part(0.3), to: part(0.55), most: 1, concurrency: 8 },
      settings: { skipCalled: 'ever' },
      isFirst: true,
    },
    {
      ...{ name: 'budget', from: part(0.7), to: part(1), most: 1, concurrency: 12 },
      budget: part(0.2),
      settings: { stop: { total: { calls: part(0.2) } } },
    },
    {
      ...{ name: 'capped', from: part(0.15), to: part(0.35), most: 1, concurrency: 8 },
      settings: { rules: 'once-a-day' },
      isFirst: true,
    },
  ];
}

/** @param server of `startPrimary`; `world.server` may become another one */
export async function makeWorld({ folder, seed, server, machines: count, people, tally }) {
  mkdirSync(join(folder, 'desk/campaigns/rules'), { recursive: true });
  await server.ask(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await server.ask(`CREATE DATABASE ${DATABASE}`);
  const service = await startService(seed);
  const campaigns = campaignsFor(people);
  const env = { CHAOS_HOOK: SECRET, VOICE_API_KEY: KEY };
  const services = {
    main: { url: service.url, maxCalls: MAX_CALLS, webhookSecretEnv: 'CHAOS_HOOK' },
  };
  const world = {
    ...{ folder, server, service, campaigns, machines: [], proxies: [] },
    isOver: false,
    /** Machines of which the journal was lost, by the pids of their processes. */
    lost: new Set(),
    /** Runs a command beside the machines. @returns its output */
    command: async (...args) => {
      const url = urlAt(world.server.port);
      const how = ['--db', url];
      const run = callsheet(join(folder, 'desk'), 'commands', [...args, ...how], { env });
      const { code } = await run.ended;
      if (code !== 0) throw new Error(`callsheet ${args.join(' ')}: exit ${code}\n${run.said.err}`);
      return run.said.out;
    },
    /** @returns no rows while there is no server */
    query: async (text) =>
      (await world.server?.askIn(DATABASE, SCHEMA, text).catch(() => undefined)) ?? [],
    close: async () => {
      world.isOver = true;
      await Promise.all(world.machines.map((machine) => machine.stop()));
      for (const proxy of world.proxies) proxy.stop();
      world.hooks?.stop();
      service.stop();
    },
  };
  await writeDesk(world, services);
  for (let n = 0; n < count; n++) {
    const proxy = await startProxy(() => world.server?.port);
    world.proxies.push(proxy);
    const of = { name: `machine-${n + 1}`, url: urlAt(proxy.port), port: await freePort() };
    world.machines.push(
      makeMachine({ ...of, folder: join(folder, of.name), services, env }, tally),
    );
  }
  // Webhooks come to a machine that runs.
  let turn = 0;
  world.hooks = await startProxy(() => {
    const ready = world.machines.filter(({ isReady }) => isReady);
    return ready[turn++ % ready.length]?.port;
  });
  return world;
}

const urlAt = (port) => `postgres://postgres@127.0.0.1:${port}/${DATABASE}?schema=${SCHEMA}`;

/** Lists are in, machines work, webhooks come, and the campaigns are started. */
export async function begin(world) {
  const { machines, campaigns, command, service, hooks } = world;
  await command('migrate');
  for (const { name } of campaigns) await command('import', name, `campaigns/${name}.yaml`);
  for (const machine of machines) machine.start();
  const path = await machines[0].webhookPath();
  service.target({ url: `http://127.0.0.1:${hooks.port}${path}`, secret: SECRET });
  for (const { name } of campaigns) await command('resume', name, '--yes', '--again');
}

async function writeDesk({ folder, service, campaigns }, services) {
  const desk = join(folder, 'desk/campaigns');
  const write = (name, value) => writeFileSync(join(desk, name), JSON.stringify(value));
  write('services.yaml', services);
  write('rules/once-a-day.yaml', {
    ...{ about: 'one call a day', for: ['US'], caps: [{ calls: 1, per: '24h' }] },
    hours: { 'mon-sun': '00:00-24:00' },
  });
  for (const campaign of campaigns) {
    const { name, from, to, concurrency, settings } = campaign;
    campaign.agent = await service.createAgent(name);
    campaign.phones = Array.from({ length: to - from }, (_, n) => phoneOf(from + n));
    writeFileSync(join(desk, `${name}.csv`), `phone\n${campaign.phones.join('\n')}\n`);
    const of = { name, agent: campaign.agent, leads: `${name}.csv`, concurrency };
    write(`${name}.yaml`, { ...COMMON, ...of, ...settings });
  }
}

async function startService(seed) {
  const program = fileURLToPath(new URL('service.mjs', import.meta.url));
  const child = fork(program, [JSON.stringify({ seed, key: KEY })]);
  const [{ url }] = await once(child, 'message');
  return {
    url,
    target: (target) => child.send({ target }),
    createAgent: async (name) => {
      const answer = await fetch(`${url}/v1/agents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, systemPrompt: 'Say hello.' }),
      });
      const { id, data } = await answer.json();
      return id ?? data.id;
    },
    /** @returns `ledger`, `peak` */
    seen: async () => {
      child.send({});
      const [seen] = await once(child, 'message');
      return seen;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** Nobody else is called. @returns true once nobody is on the line, and nothing is left to be found out */
export async function finishes(world, withinMs) {
  for (const { name } of world.campaigns)
    await world.command('pause', name).catch((error) => {
      // It was completed.
      if (!/exit 2/.test(error.message)) throw error;
    });
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    await sleep(1_000);
    const [found] = await world.query(
      `SELECT count(*)::int AS open FROM attempts WHERE state IN ('intent', 'placed', 'ended', 'unknown')`,
    );
    if (found?.open === 0) return true;
  }
  return false;
}
