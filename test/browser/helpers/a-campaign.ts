import { expect } from 'vitest';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import type { SimulatorOptions } from '../../../src/simulator/options.ts';
import type { Simulator } from '../../../src/simulator/server.ts';
import { desk } from '../../helpers/callsheet.ts';
import type { AtEnd } from '../../helpers/files/temp.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { aConsole } from './a-console.ts';

const USERS = { ann: 'operator', vera: 'viewer' } as const;
/**
 * A campaign "spring" of many people at the embedded service, which nobody calls yet, and a console of it with the
 * operator ann and the viewer vera. Each call takes 0.4 s, and two are made at once unless `concurrency` says otherwise.
 */
export async function aCampaign({
  people = 900,
  faults = {},
  clock = systemClock,
  concurrency = '2',
  settings = [],
  atEnd,
}: {
  people?: number;
  faults?: SimulatorOptions['faults'];
  clock?: Clock;
  concurrency?: string;
  /** Further settings, as `name=value`. */
  settings?: readonly string[];
  /** Closes all of it; default: at the end of the test. */
  atEnd?: AtEnd;
} = {}) {
  const service = await simulatedService({ timeScale: 1, fixedCallMs: 400, faults }, atEnd);
  const env = { VOICE_API_URL: service.url, VOICE_API_KEY: KEY };
  const here = desk(env, atEnd);
  const set = ['polling.floor=50ms', ...settings].flatMap((one) => ['--set', one]);
  set.push('--concurrency', concurrency);
  const add = async (name: string, count: number) => {
    here.write(`${name}.csv`, listOf(count));
    const take = ['import', name, `${name}.csv`, '--agent', AGENT, '--country', 'US', ...set];
    expect((await here.run(take)).code).toBe(0);
  };
  await add('spring', people);
  return {
    service,
    here,
    /** Imports a further campaign, of the same people. */
    add,
    open: () => aConsole({ folder: here.cwd, io: { env, clock }, users: USERS }, atEnd),
  };
}

/** A list of so many people, "Person 0" first. */
export const listOf = (people: number) =>
  `name,phone\n${Array.from({ length: people }, (_, i) => `${nameOf(i)},${phoneOf(i)}\n`).join('')}`;
const nameOf = (i: number) => `Person ${i}`;
/** The number of the person in line `i + 2`. */
const phoneOf = (i: number) =>
  `+1${212 + Math.floor(i / 100)}55501${String(i % 100).padStart(2, '0')}`;

/** The number of each phone each time it rang, by the service's own ledger. */
export const rings = (service: Simulator): string[] =>
  service.ledger().flatMap(({ phone_number: phone, rings: all }) => all.map(() => phone));
