import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { requireOwnListKey } from '../../config/key-owner.ts';
import {
  resolveService,
  type ServiceConfig,
  type ServiceInput,
} from '../../config/resolve-service.ts';
import { loadServices, type Services } from '../../config/services-file.ts';
import { perBegunMinute, USUAL_PER_MINUTE } from '../../domain/nights/budget.ts';
import { own } from '../../domain/safe-text.ts';
import { usageError } from '../../runtime/errors.ts';
import { makeFolder } from '../../runtime/files.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Profile } from '../../service/profile/profile.ts';
import type { Simulator } from '../../simulator/server.ts';
import type { Campaign } from '../../store/port.ts';
import { shellWord } from '../../text/wording.ts';
import { homeOf, locateDatabase } from '../places/home.ts';
import type { World } from '../world.ts';

/** After this wait, a message shows that the program has not died. */
const TOLD_AFTER_MS = 3_000;
const TOLD_AGAIN_AFTER_MS = 10_000;

/**
 * Wraps a service so that long waits are announced on stderr. Only for requests that a person waits for in silence:
 * polls, and probes of a failing service, belong to a run, which reports its own progress.
 */
function tellingOfWaits(service: VoiceService, world: World): VoiceService {
  const { url } = service;
  return {
    ...service,
    listAgents: () => whenLong(`${url} (list of agents)`, service.listAgents(), world),
    createAgent: (agent) => whenLong(`${url} (new agent)`, service.createAgent(agent), world),
  };
}

async function whenLong<T>(what: string, answer: Promise<T>, world: World): Promise<T> {
  let cancel: () => void = () => undefined;
  const tellAfter = (ms: number, soFarMs: number) => {
    cancel = world.clock.after(ms, () => {
      const seconds = (soFarMs + ms) / 1_000;
      world.tell(`Waiting for ${what}, ${seconds} s so far; Ctrl-C leaves.`);
      tellAfter(TOLD_AGAIN_AFTER_MS, soFarMs + ms);
    });
  };
  tellAfter(TOLD_AFTER_MS, 0);
  try {
    return await answer;
  } finally {
    cancel();
  }
}

/** Which service is wanted; what is left out comes from files, the environment and the stored campaign. */
export interface ServiceRequest {
  /** The name of a service in the services file, or `simulated`. */
  service?: string | undefined;
  /** A base address, instead of a name. */
  serviceUrl?: string | undefined;
  /** Name or path of a profile; only together with `serviceUrl`. */
  profile?: string | undefined;
  /** The file that holds the service's key; default: the environment. */
  keyFile?: string | undefined;
  /** The file that names services; default campaigns/services.yaml. */
  services?: string | undefined;
  /** The database; the embedded service keeps its calls next to this file. Default as in `locateDatabase`. */
  db?: string | undefined;
}

/** A connected service, and how to close it. */
export interface OpenService {
  config: ServiceConfig;
  service: VoiceService;
  /** The longest possible call according to the profile, ms; undefined: the profile does not say. */
  longestCallMs: number | undefined;
  /** Describes how the service speaks. */
  profile: Profile;
  /** Null for every service but the embedded one. */
  embedded: Pick<Simulator, 'sendWebhooksTo'> | null;
  /** Closes the client, and the embedded service if this is that one. */
  close: () => Promise<void>;
}

/** How the embedded service behaves in a rehearsal: a minute passes in a second, so that a list is soon done, results are named, and calls have a price. */
export const REHEARSAL = {
  seed: 'callsheet',
  timeScale: 60,
  mix: 'warm',
  unanswered: 'outcome',
  price: perBegunMinute(USUAL_PER_MINUTE),
} as const;
/** Not a secret: it calls nobody. Not an ordinary word, because the key is masked wherever it occurs in the output. */
const REHEARSAL_KEY = 'callsheet-rehearsal-key';

/**
 * Chooses the service that the flags, the campaign file and the stored campaign name.
 *
 * @param known.choice the choice of `resolveSettings`; default: the flags alone
 */
export function chooseService(
  flags: ServiceRequest,
  world: World,
  known: Partial<Pick<ServiceInput, 'choice' | 'stored' | 'beside' | 'keyUrl'>> = {},
): ServiceConfig {
  const config = resolveService({
    choice: { name: flags.service, url: flags.serviceUrl, profile: flags.profile },
    ...known,
    services: knownServices(flags, world),
    keyFile: flags.keyFile,
    env: world.env,
    cwd: world.cwd,
    home: homeOf(world).folder,
  });
  warnOfOpenKey(config, world);
  return config;
}

/** Key files that were warned of, by the command's stdin object: one command may choose a service many times. */
const told = new WeakMap<Readable, Set<string>>();

/**
 * Warns once per command if other users of this machine can read or change the key file. A file of another user, such
 * as a mounted secret, is left to its owner.
 */
function warnOfOpenKey({ keyFile }: ServiceConfig, world: World): void {
  if (keyFile === null || world.userId === undefined) return;
  const found = statSync(keyFile, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.uid !== world.userId || (found.mode & 0o077) === 0) return;
  const files = told.get(world.stdin) ?? new Set();
  if (files.has(keyFile)) return;
  told.set(world.stdin, files.add(keyFile));
  const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
  const close = `chmod 600 ${shellWord(keyFile)}`;
  world.tell(
    `Warning: others on this machine can use the key in ${keyFile} (mode ${mode}); \`${close}\` keeps it to you.`,
  );
}

/** The services named in the services file. @throws AppError as `loadServices` (exit 2) */
export function knownServices(
  { services }: Pick<ServiceRequest, 'services'>,
  world: Pick<World, 'cwd' | 'env'> & Partial<Pick<World, 'userId'>>,
): Services {
  return loadServices(services ?? null, world.cwd, homeOf(world).folder);
}

/** Refuses addresses of lists that a key does not belong to. @throws AppError `LIST_KEY_FOREIGN` (exit 2) */
export function requireListKey(
  sources: { from: readonly string[]; keyEnv?: string | undefined } | undefined,
  flags: Pick<ServiceRequest, 'services'>,
  world: Pick<World, 'cwd' | 'env'> & Partial<Pick<World, 'userId'>>,
): void {
  const { from = [], keyEnv } = sources ?? {};
  if (keyEnv === undefined) return;
  const { cwd, env } = world;
  const services = knownServices(flags, world);
  requireOwnListKey({ from, keyEnv }, { env, cwd, services, home: homeOf(world).folder });
}

/** Loads a service's profile. @throws AppError `PROFILE_INVALID`, `SERVICE_FROM_MISSING` (exit 2) */
export async function profileOf(config: ServiceConfig): Promise<Profile> {
  const { loadProfile } = await import('../../service/profile/profile.ts');
  const { path, text } = config.profile;
  const profile = loadProfile(text, path);
  if (config.from !== null || !profile.dial.body.needs.has('from')) return profile;
  // Refused before the first call, instead of by the service's answer to it.
  throw usageError(
    'SERVICE_FROM_MISSING',
    `Service ${config.name} has no number to call from, and its profile ${path} sends one ({{from}}).`,
    'give `from:` to the service in services.yaml, or write {{from?}} in the profile',
  );
}

/**
 * Connects the client; `simulated` is started first, with its calls kept beside the simulated database so
 * that they can still be read after a restart.
 *
 * @param options.keep false: the embedded service is only inspected, and creates no file. Default true.
 * @param options.profile the result of `profileOf`; default: the profile is read now
 */
export async function openService(
  config: ServiceConfig,
  flags: Pick<ServiceRequest, 'db'>,
  world: World,
  { keep = true, ...known }: { keep?: boolean; profile?: Profile } = {},
): Promise<OpenService> {
  const profile = known.profile ?? (await profileOf(config));
  const embedded = config.url === null ? await startEmbedded(flags, world, keep) : undefined;
  const service = await world.connect({
    name: config.name,
    url: embedded?.url ?? config.url ?? '',
    key: config.key ?? REHEARSAL_KEY,
    keyAt: config.keyAt,
    // The service's webhook secrets that are set are masked in the output, too.
    otherSecrets: config.webhookSecretEnv
      .map((name) => (own(world.env, name) ?? '').trim())
      .filter((secret) => secret !== ''),
    from: config.from,
    ids: config.ids,
    dialsPerSecond: config.dialsPerSecond,
    profile,
    clock: world.clock,
    random: world.random,
  });
  return {
    // The operator's limit wins over the one in the profile.
    config: { ...config, maxCalls: config.maxCalls ?? profile.limits.calls ?? null },
    longestCallMs: profile.limits.longestCall,
    service: embedded === undefined ? tellingOfWaits(service, world) : service,
    profile,
    embedded: embedded ?? null,
    close: async () => {
      await service.close();
      await embedded?.close();
    },
  };
}

/** Opens a service for as long as `use` lasts. @throws AppError as `openService` */
export async function withService<T>(
  config: ServiceConfig,
  flags: Pick<ServiceRequest, 'db'>,
  world: World,
  use: (opened: OpenService) => Promise<T>,
  options: Parameters<typeof openService>[3] = {},
): Promise<T> {
  const opened = await openService(config, flags, world, options);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/** A secret for webhooks of the embedded service; it protects nothing but a rehearsal. */
export function madeUpSecret(world: World): string {
  const text = world.newId('event-secret').padEnd(32, '-');
  return `whsec_${Buffer.from(text).toString('base64')}`;
}

/** Refuses to mix rehearsed and real calls in one campaign. @throws AppError `CAMPAIGN_OF_ANOTHER_WORLD` (exit 2) */
export function refuseSimulatedMix(campaign: Campaign | undefined, simulated: boolean): void {
  if (campaign === undefined || campaign.simulated === simulated) return;
  const is = campaign.simulated ? 'a rehearsal on the embedded service' : 'of a real service';
  throw usageError(
    'CAMPAIGN_OF_ANOTHER_WORLD',
    `Campaign "${campaign.name}" is ${is}; rehearsed and real calls are never mixed.`,
    'begin another campaign with --name',
  );
}

async function startEmbedded(flags: Pick<ServiceRequest, 'db'>, world: World, keep: boolean) {
  const { startSimulator } = await import('../../simulator/server.ts');
  const { folder } = locateDatabase(flags, world, true);
  const state = join(folder, 'simulated-service.jsonl');
  if (keep) makeFolder(folder);
  return startSimulator({
    ...REHEARSAL,
    port: 0,
    keys: [REHEARSAL_KEY],
    capacity: null,
    rate: null,
    idempotency: false,
    faults: {},
    state: keep || existsSync(state) ? state : null,
    clock: world.clock,
  });
}
