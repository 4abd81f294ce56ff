import { expect } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { Simulator } from '../../../src/simulator/server.ts';
import { desk } from '../../helpers/callsheet.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { aConsole } from './a-console.ts';

export const USERS = { ann: 'operator', vera: 'viewer' } as const;
/** How long each call takes. */
export const CALL_MS = 400;

/**
 * A campaign "spring" of many people at the embedded service, which nobody calls yet, and a console of it with the
 * operator ann and the viewer vera. Each call takes 0.4 s, and two are made at once.
 */
export async function aCampaign({ people = 900, faults = {}, clock = systemClock } = {}) {
  const service = await simulatedService({ timeScale: 1, fixedCallMs: CALL_MS, faults });
  const env = { VOICE_API_URL: service.url, VOICE_API_KEY: KEY };
  const here = desk(env);
  here.write('spring.csv', listOf(people));
  const set = ['--concurrency', '2', '--set', 'polling.floor=50ms'];
  const take = ['import', 'spring', 'spring.csv', '--agent', AGENT, '--country', 'US', ...set];
  expect((await here.run(take)).code).toBe(0);
  return {
    service,
    here,
    open: () => aConsole({ folder: here.cwd, io: { env, clock }, users: USERS }),
  };
}

/** A list of so many people, "Person 0" first. */
export const listOf = (people: number) =>
  `name,phone\n${Array.from({ length: people }, (_, i) => `${nameOf(i)},${phoneOf(i)}\n`).join('')}`;
const nameOf = (i: number) => `Person ${i}`;
/** The number of the person in line `i + 2`. */
export const phoneOf = (i: number) =>
  `+1${212 + Math.floor(i / 100)}55501${String(i % 100).padStart(2, '0')}`;

/** When phones rang, by the service's own ledger, and until when they were on the line. */
export const rings = (service: Simulator) =>
  service.ledger().flatMap(({ phone_number: phone, rings: all }) =>
    all.map(({ rang_at, ended_at }) => ({
      phone,
      from: Date.parse(rang_at),
      to: ended_at === null ? Infinity : Date.parse(ended_at),
    })),
  );
