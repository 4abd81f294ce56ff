import { type AppError, usageError } from '../runtime/errors.ts';
import { packageRoot } from '../runtime/files.ts';
import { isLoopback } from '../runtime/process.ts';
import * as field from './fields.ts';
import {
  isSameOrigin,
  KEY_VARIABLE,
  ownProfile,
  readKey,
  requireOwnKey,
  URL_VARIABLE,
} from './key-owner.ts';
import type { KeyUse, KnownKeys } from './key-owner.ts';
import { withoutPassword } from './keys.ts';
import { addressIn, DEFAULT_PROFILE, findProfile, type ProfileText } from './profiles.ts';
import { findService, SIMULATED, type ServiceEntry } from './services-file.ts';
import type { ServiceChoice } from './settings.ts';

export interface ServiceConfig {
  /** The service's name in services.yaml, `simulated`, or its address if the service was given by address. */
  name: string;
  /** Base address without a slash at its end; null: the embedded service, which has no address until it starts. */
  url: string | null;
  profile: ProfileText;
  /** The key, which is never printed or stored; null for the embedded service, which makes its own key. */
  key: string | null;
  /** The file that the key was read from, absolute; null: the key came from the environment. */
  keyFile: string | null;
  /** The environment variable or file that holds the key, for messages; undefined for the embedded service. */
  keyAt?: string | undefined;
  /** The number, or its id at the service, that calls come from; null: the service decides. */
  from: string | null;
  /** Values for the names in braces in the profile's paths, such as `{account}`. */
  ids: Readonly<Record<string, string>>;
  /** Environment variables with the secrets that webhooks may be signed with. Empty: no secret is known. */
  webhookSecretEnv: readonly string[];
  /** The highest number of calls in progress at the service, over all campaigns; null: not limited here. */
  maxCalls: number | null;
  /** Calls begun there in a second at most; undefined: as the profile says. */
  dialsPerSecond?: number | undefined;
  simulated: boolean;
  /** True if real people's phones ring: the service is neither simulated nor on loopback. */
  live: boolean;
}

export interface ServiceInput extends Omit<KnownKeys, 'own'> {
  /** What flags and the campaign file choose; see `resolveSettings`. */
  choice: ServiceChoice;
  /** The service that a stored campaign has used so far. */
  stored?: string | undefined;
  /** `--key-file`, relative to `cwd`. */
  keyFile?: string | undefined;
  /** The address that the key in the environment is for; default `VOICE_API_URL`. */
  keyUrl?: string | undefined;
  /** The folder of the campaign file, where profiles are looked for first. */
  beside?: string | undefined;
}

/** The environment variable with the webhook secret of a service that is not in services.yaml. */
const SECRET_VARIABLE = 'VOICE_WEBHOOK_SECRET';

/**
 * Decides which service is used. The first of these that is set wins: flags or campaign file, the stored campaign, the
 * address in `VOICE_API_URL`, the address in the given profile.
 * @throws AppError, all exit 2: `SERVICE_NOT_CHOSEN`, `SERVICE_CHOICE_INVALID`, `SERVICE_UNKNOWN`,
 *   `SERVICE_KEY_MISSING`, `SERVICE_KEY_FOREIGN`, `PROFILE_NOT_FOUND`
 */
export function resolveService(input: ServiceInput): ServiceConfig {
  const { choice, stored, services } = input;
  if (choice.name !== undefined && choice.url !== undefined) {
    throw invalid(
      'Both --service and --service-url are given; a service is named or given by URL.',
    );
  }
  const name = choice.name ?? (choice.url === undefined ? stored : undefined);
  if (name === undefined || isAddress(name)) return adhoc(input);
  if (choice.profile !== undefined) {
    throw invalid(
      `--profile goes with --service-url; the profile of "${name}" stands in ${services.path}.`,
    );
  }
  const entry = findService(services, name, choice.nameAt);
  const common = { name, ...restOf(entry) };
  if (name === SIMULATED) {
    // Use the package's own profile, which the embedded service was built for.
    const profile = findProfile(DEFAULT_PROFILE, { cwd: packageRoot() });
    const local = { url: null, key: null, keyFile: null, simulated: true, live: false };
    return { ...common, profile, ...local };
  }
  const profile = findProfile(entry.profile ?? DEFAULT_PROFILE, input);
  const url = entry.url ?? addressIn(profile);
  if (url === undefined) {
    throw invalid(
      `${name} has no url in ${services.path}, and its profile ${profile.path} gives no address.`,
      `give \`url:\` to ${name} in ${services.path}`,
    );
  }
  const keyFile = input.keyFile ?? entry.keyFile;
  const found = readKey(input, name, entry.keyEnv ?? KEY_VARIABLE, keyFile);
  const isNamed = (entry.keyEnv ?? keyFile) !== undefined;
  if (entry.url === undefined) refuseShadow(entry.profile, { service: name, url, ...found }, input);
  requireOwnKey(
    { service: name, url, addressFrom: isNamed ? 'given' : 'default', ...found },
    knownKeys(input),
  );
  return { ...common, profile, ...remote(url, found, keyFile) };
}

function adhoc(input: ServiceInput): ServiceConfig {
  const { choice } = input;
  const profile = choice.profile === undefined ? undefined : findProfile(choice.profile, input);
  const { url, addressFrom } = addressOf(input, profile);
  if (url === undefined) {
    throw usageError(
      'SERVICE_NOT_CHOSEN',
      `No service is given: neither by --service, --service-url, the campaign file nor ${URL_VARIABLE}.`,
      `give --service NAME (${[...input.services.entries.keys()].join(', ')}) or --service-url URL`,
    );
  }
  const found = readKey(input, url, KEY_VARIABLE, input.keyFile);
  if (addressFrom === 'profile')
    refuseShadow(choice.profile, { service: url, url, ...found }, input);
  requireOwnKey(
    { service: url, url, addressFrom, addressAt: choice.urlAt, ...found },
    knownKeys(input),
  );
  const hasSecret = (input.env[SECRET_VARIABLE] ?? '').trim() !== '';
  return {
    name: url,
    profile: profile ?? findProfile(DEFAULT_PROFILE, input),
    ...remote(url, found, input.keyFile),
    ...restOf({ webhookSecretEnv: hasSecret ? [SECRET_VARIABLE] : [] }),
  };
}

function restOf({ from, ids = {}, maxCalls, webhookSecretEnv = [], dialsPerSecond }: ServiceEntry) {
  const own = { webhookSecretEnv, ...(dialsPerSecond !== undefined && { dialsPerSecond }) };
  return { from: from ?? null, ids, maxCalls: maxCalls ?? null, ...own };
}

function remote(url: string, { key, keyAt }: ReturnType<typeof readKey>, file: string | undefined) {
  const live = !isLoopback(new URL(url).hostname);
  return { url, key, keyAt, keyFile: file === undefined ? null : keyAt, simulated: false, live };
}

/** The address to use, and where it comes from. */
function addressOf(
  { choice, stored, env }: ServiceInput,
  profile: ProfileText | undefined,
): { url?: string | undefined; addressFrom: KeyUse['addressFrom'] } {
  if (choice.url !== undefined) {
    return { url: choice.url, addressFrom: choice.urlAt === undefined ? 'given' : 'file' };
  }
  if (stored !== undefined && isAddress(stored)) return { url: stored, addressFrom: 'stored' };
  const url = urlOf(env);
  if (url !== undefined) return { url, addressFrom: 'given' };
  return { url: profile && addressIn(profile), addressFrom: 'profile' };
}

function knownKeys({ env, services, cwd, home, keyUrl }: ServiceInput): KnownKeys {
  const url = keyUrl ?? urlOf(env);
  const place = keyUrl === undefined ? URL_VARIABLE : '--service-url';
  return { env, services, cwd, home, own: url === undefined ? undefined : { url, place } };
}

/**
 * A profile beside a campaign file may have the same name as one of the operator's own profiles and be found first: the
 * address in it must not receive the key.
 */
function refuseShadow(
  profile: string | undefined,
  use: Omit<KeyUse, 'addressFrom'>,
  input: ServiceInput,
): void {
  const own = ownProfile(profile ?? DEFAULT_PROFILE, input);
  const address = own && addressIn(own);
  if (address !== undefined && isSameOrigin(address, use.url)) return;
  const { path } = findProfile(profile ?? DEFAULT_PROFILE, input);
  const hidden = { ...use, isKeyGiven: false, addressFrom: 'file', addressAt: path } as const;
  requireOwnKey(hidden, knownKeys(input));
}

function urlOf(env: ServiceInput['env']): string | undefined {
  const given = env[URL_VARIABLE];
  if (given === undefined || given === '') return undefined;
  const url = field.serviceUrl.safeParse(given);
  if (url.success) return url.data;
  throw invalid(
    `${URL_VARIABLE} "${withoutPassword(given)}" ${url.error.issues[0]?.message ?? 'is no address'}.`,
  );
}

/** True for an address. No entry of services.yaml can have such a name. */
function isAddress(name: string): boolean {
  return name.includes('://');
}

function invalid(
  message: string,
  hint = 'give --service NAME, or --service-url URL with --profile NAME',
): AppError {
  return usageError('SERVICE_CHOICE_INVALID', message, hint);
}
