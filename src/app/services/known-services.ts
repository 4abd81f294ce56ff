import { basename } from 'node:path';

import { isPath } from '../../config/campaign-file.ts';
import { KEY_VARIABLE } from '../../config/key-owner.ts';
import { addressIn, DEFAULT_PROFILE, findProfile } from '../../config/profiles.ts';
import { findService, SIMULATED, type ServiceEntry } from '../../config/services-file.ts';
import { attempt, troubleOf, messageOf } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/process.ts';
import { loadProfile } from '../../service/profile/profile.ts';
import type { Service, Services } from '../../views/services.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import { homeOf } from '../places/home.ts';
import type { World } from '../world.ts';
import {
  chooseService,
  knownServices,
  type ServiceRequest,
  openService,
  type OpenService,
} from './service.ts';
import { SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { asSentence } from '../../text/wording.ts';

type Files = Pick<ServiceRequest, 'services' | 'db'>;

/** Every service that can be chosen by name, the embedded one first. */
export async function listServices(files: Files, world: World): Promise<Services> {
  const { entries } = knownServices(files, world);
  const items: Service[] = [];
  for (const [name, entry] of entries) {
    const slots = await slotsOf(name, files, world);
    items.push({ ...describe(name, entry, files, world), slots });
  }
  return { items, next: null };
}

/** The request for a service that is known by name; an address is none, as the key could be sent anywhere. */
export function knownService(name: string, files: Files, world: World): ServiceRequest {
  findService(knownServices(files, world), name);
  return { ...files, service: name };
}

function describe(
  name: string,
  entry: ServiceEntry,
  files: Files,
  world: World,
): Omit<Service, 'slots'> {
  const simulated = name === SIMULATED;
  const read = attempt(() => profileOf(entry, world));
  // The key is looked for by the very function that a run uses.
  const chosen = attempt(() => chooseService({ ...files, service: name }, world));
  const url = chosen.value?.url ?? entry.url ?? read.value?.url ?? null;
  const problem = chosen.error ?? read.error;
  const isMissing = chosen.error?.code === 'SERVICE_KEY_MISSING';
  const key = isMissing ? 'missing' : chosen.error === null ? 'present' : null;
  const limits = read.value?.profile.limits;
  return {
    name,
    url,
    simulated,
    live: !simulated && url !== null && !isLoopback(new URL(url).hostname),
    key: simulated ? null : key,
    // Where files are is for those who have them.
    keyAt: simulated || entry.keyFile !== undefined ? null : (entry.keyEnv ?? KEY_VARIABLE),
    from: entry.from ?? null,
    maxCalls: entry.maxCalls ?? limits?.calls ?? null,
    requestsPerSecond: limits?.requestsPerSecond ?? null,
    profile: read.value?.name ?? null,
    problem: isMissing && entry.keyFile !== undefined ? NO_KEY_FILE : problem && troubleOf(problem),
  };
}

/** Where it should be is for those who have the files of this machine. */
const NO_KEY_FILE = {
  ...{ code: 'SERVICE_KEY_MISSING', detail: 'The file with its key is missing or empty.' },
  hint: 'give it another key',
};

function profileOf(entry: ServiceEntry, world: World) {
  const name = entry.profile ?? DEFAULT_PROFILE;
  const found = findProfile(name, { cwd: world.cwd, home: homeOf(world).folder });
  const profile = loadProfile(found.text, found.path);
  const shown = isPath(name) ? basename(name, '.yaml') : name;
  return { profile, name: shown, url: addressIn(found) };
}

async function slotsOf(service: string, files: Files, world: World): Promise<Service['slots']> {
  const found: Service['slots'] = [];
  for (const place of databasePlaces(files, world))
    await withStore(place, 'read', world, async (store) => {
      found.push(...(await store.slotShares(service, world.clock.now())));
    });
  return found;
}

/**
 * How many calls may be in progress at a service, over all campaigns, without connecting to it.
 *
 * @returns null: there is no limit, or the files that would say so do not know the service or cannot be read
 */
export function mostCallsAt(service: string, world: World): number | null {
  const { value } = attempt(() => {
    const entry = knownServices({}, world).entries.get(service);
    return entry && (entry.maxCalls ?? profileOf(entry, world).profile.limits.calls);
  });
  return value ?? null;
}

/**
 * Opens a client for every service that has open calls of the campaign, or calls in doubt. A service that cannot be
 * opened (its entry or key is missing) is reported and left out; its calls stay open.
 *
 * @param lateSince services are included where a call without a result began since then, epoch ms; default: none
 * @param first a client that is already open and is always included
 */
export async function openCollectors(
  store: Store,
  campaign: Pick<Campaign, 'id' | 'service'>,
  first: OpenService | undefined,
  flags: ServiceRequest,
  world: World,
  lateSince = Infinity,
): Promise<{ services: VoiceService[]; close: () => Promise<void> }> {
  const opened: OpenService[] = first === undefined ? [] : [first];
  const own: OpenService[] = [];
  const doubtsSince = world.clock.now() - SEARCH_BACK_MS;
  for (const name of await store.servicesWithOpenCalls(campaign.id, doubtsSince, lateSince)) {
    if (opened.some(({ service }) => service.name === name)) continue;
    try {
      const another = await openStored(name, flags, world, { own: campaign.service });
      own.push(another);
      opened.push(another);
    } catch (error) {
      world.tell(
        `Calls placed at ${name} cannot be read now: ${asSentence(messageOf(error))}`,
        'problem',
      );
    }
  }
  return {
    services: opened.map(({ service }) => service),
    close: async () => {
      for (const { close } of own) await close();
    },
  };
}

/**
 * Opens a service by the name that the database or services.yaml has for it. A given key file is used only for the
 * given service, or for `own` if no service was given; never for another one.
 *
 * @param known.flagsChoose the given service is opened as the flags say, not as it is stored
 */
export function openStored(
  name: string,
  flags: ServiceRequest,
  world: World,
  { own, flagsChoose = false }: { own?: string; flagsChoose?: boolean } = {},
): Promise<OpenService> {
  const keyUrl = flags.serviceUrl;
  const isChosen = name === (flags.service ?? keyUrl ?? own);
  const keys = isChosen ? flags : { ...flags, keyFile: undefined };
  const known = { stored: name, keyUrl, ...(!(isChosen && flagsChoose) && { choice: {} }) };
  const config = chooseService(keys, world, known);
  return openService(config, flags, world);
}
