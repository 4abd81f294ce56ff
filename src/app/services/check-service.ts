import { zoneKey } from '../../domain/calling/zone-key.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import { KEY_VARIABLE } from '../../config/key-owner.ts';
import { resolveService } from '../../config/resolve-service.ts';
import type { ServiceEntry } from '../../config/services-file.ts';
import { messageOf } from '../../runtime/errors.ts';
import { isOutage } from '../../service/http/http-errors.ts';
import type { Agent } from '../../service/port.ts';
import { localTime } from '../../text/times.ts';
import type { Examination } from '../../views/services.ts';
import { examineService } from '../repair/doctor.ts';
import { keepTrouble, type RunBounds } from '../run/run-events.ts';
import { homeOf } from '../places/home.ts';
import { hoursOf } from '../plan/schedule-times.ts';
import type { World } from '../world.ts';
import { agentUnknown, askForAgent, type Beginning } from './agents.ts';
import { knownServices, withService, type OpenService, type ServiceRequest } from './service.ts';

/** Asks a service whether it answers and takes the key, and checks what its calls need on this machine. */
export async function checkService(request: ServiceRequest, world: World): Promise<Examination> {
  return { findings: await examineService(request, world) };
}

export type ServiceAnswer = Awaited<ReturnType<typeof testKey>>;

/**
 * Asks a service for its agents, with a key that is not yet in a file.
 *
 * @throws AppError `SERVICE_KEY_REFUSED` (exit 4), and those of the service and its client
 */
export async function testKey(
  { name, key, ...entry }: ServiceEntry & { name: string; key: string },
  world: World,
  files: Pick<ServiceRequest, 'services' | 'db'> = {},
) {
  const { cwd } = world;
  const known = knownServices(files, world);
  const entries = new Map([...known.entries, [name, { ...entry, keyEnv: KEY_VARIABLE }]]);
  const found = resolveService({
    choice: { name },
    services: { ...known, entries },
    env: { ...world.env, [KEY_VARIABLE]: key },
    cwd,
    home: homeOf(world).folder,
  });
  // A message must not say that the key was found somewhere.
  const config = { ...found, keyAt: undefined };
  const ask = async ({ service }: OpenService) => ({
    ...{ config, service: { url: service.url } },
    list: await service.listAgents(),
  });
  return withService(config, {}, world, ask, { keep: false });
}

/** Refuses an agent that the service does not have. If it has none, or not all could be read, any agent is accepted. */
export function refuseUnknownAgent(seen: ServiceAnswer | undefined, agent: string): void {
  if (untestedOf(seen, agent) === null || !seen?.list.complete) return;
  const { agents } = seen.list;
  if (agents.length > 0) throw agentUnknown(seen, agent, agents);
}

/** What could not be tested with the service, e.g. `the agent is`; null: nothing. */
export function untestedOf(seen: ServiceAnswer | undefined, agent: string): string | null {
  if (seen === undefined) return 'key and agent are';
  return seen.list.agents.some(({ id }) => id === agent) ? null : 'the agent is';
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = MINUTE_MS;
/** How long a run waits for a service that is down where nothing else says so. */
const WAIT_MS = 10 * MINUTE_MS;

/**
 * Until when a run waits for a service that is down, epoch ms: for `--wait`, to `--until`, to the end of the hours that
 * are open in the campaign's time zone; without any of them for ten minutes.
 */
export function waitsUntil(
  { waitUntil, until }: Pick<RunBounds, 'waitUntil' | 'until'>,
  settings: CampaignSettings,
  now: number,
): number {
  const ends = [waitUntil, hoursEnd(settings, now)].filter((end) => end !== null);
  if (ends.length === 0) return until ?? now + WAIT_MS;
  return Math.min(Math.max(...ends), until ?? Infinity);
}

/** Null when no hours are open, or when they never close. */
function hoursEnd({ policy, timezone }: CampaignSettings, now: number): number | null {
  if (policy === undefined) return null;
  const place = zoneKey({ zones: [timezone], regions: [] });
  const hours = hoursOf(policy)(place, now);
  return hours.open && hours.until < Infinity ? hours.until : null;
}

/**
 * Asks for the agent as `askForAgent` does. While the service is down, it is asked again up to `until`, which is told, and
 * `status` says it: a night must not be lost because the service was down when it began.
 *
 * @throws AppError those of `askForAgent`; for a service that is down once `until` (epoch ms) has come or Ctrl-C was pressed
 */
export async function askPatiently(
  beginning: Beginning,
  until: number,
  world: World,
): Promise<Agent | null> {
  const { clock } = world;
  const isInterrupted = () => world.underway?.signal.aborted === true;
  const { timezone } = beginning.resolved.settings;
  const waiting = shownWaiting(beginning, world);
  try {
    for (let pauseMs = FIRST_PAUSE_MS, isTold = false; ; pauseMs *= 2) {
      try {
        const agent = await askForAgent(beginning, world);
        if (isTold) world.tell('The service answers.', 'problem');
        waiting?.answered();
        return agent;
      } catch (error) {
        const leftMs = until - clock.now();
        if (!isOutage(error) || leftMs <= 0 || isInterrupted()) throw error;
        const end = localTime(until, timezone);
        const told = `${messageOf(error)} It is asked again until ${end}; nobody is called before it answers.`;
        if (!isTold) world.tell(told, 'problem');
        isTold = true;
        await waiting?.goesOn(messageOf(error));
        await clock.sleep(Math.min(pauseMs, LONGEST_PAUSE_MS, leftMs), world.underway?.signal);
        if (isInterrupted()) throw error;
      }
    }
  } finally {
    await waiting?.over();
  }
}

/** Shows others that this process waits to call a stored campaign. What cannot be written, nobody reads. */
function shownWaiting({ campaign, store }: Beginning, world: World) {
  if (store === undefined || campaign === undefined) return undefined;
  const { clock, owner } = world;
  const trouble = keepTrouble(store, campaign, world);
  return {
    goesOn: async (why: string) => {
      await store.runnerSeen(campaign.id, owner, clock.now()).catch(world.keepStack);
      trouble.heard({ event: 'breaker.opened', detail: why });
    },
    answered: () => trouble.heard({ event: 'breaker.closed' }),
    over: async () => {
      await trouble.kept();
      await store.runnerLeft(campaign.id, owner).catch(world.keepStack);
    },
  };
}
