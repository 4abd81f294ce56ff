import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AppError, usageError } from '../runtime/errors.ts';
import { isAddress } from '../domain/lists/list-mapping.ts';
import { addressIn, findProfile } from './profiles.ts';
import { SIMULATED, type ServiceEntry, type Services } from './services-file.ts';
import { readConfigFile } from './yaml-file.ts';
import { own } from '../domain/safe-text.ts';

/** The environment variable that holds the key of a service whose entry names no other variable. */
export const KEY_VARIABLE = 'VOICE_API_KEY';
/** The environment variable with the address that the key in `KEY_VARIABLE` is for. */
export const URL_VARIABLE = 'VOICE_API_URL';

/** A key, and the address that it is about to be sent to. */
export interface KeyUse {
  /** The name of the service, for messages. */
  service: string;
  url: string;
  /**
   * Where the address comes from. `given`: the operator, with this command (`--service-url`) or beside the key
   * (`VOICE_API_URL`, an entry of services.yaml with its key). `default`: an entry of services.yaml that names no key.
   * `file`: a campaign file. `stored`: the stored campaign. `profile`: a profile.
   */
  addressFrom: 'given' | 'default' | 'file' | 'stored' | 'profile';
  /** The place of the address, for messages, e.g. `spring.yaml:3`. */
  addressAt?: string | undefined;
  key: string;
  /** The environment variable or file that holds the key, for messages. */
  keyAt: string;
  /** The operator named the key with this command: `--key-file`. */
  isKeyGiven: boolean;
}

export interface KnownKeys {
  env: Record<string, string | undefined>;
  services: Services;
  cwd: string;
  /** The folder that holds `campaigns/`; default `cwd`. */
  home?: string | undefined;
  /** The address that the key in the environment is for: from `--service-url`, otherwise from `VOICE_API_URL`. */
  own: { url: string; place: string } | undefined;
}

/**
 * Reads the key of a service from its file or, without a file, from the environment.
 * @param keyFile `--key-file`, if the operator gave it: messages then name this flag
 * @param variable the environment variable to read if there is no file
 * @param file relative to `cwd`
 * @throws AppError `SERVICE_KEY_MISSING` (exit 2), naming the place where the key was looked for
 */
export function readKey(
  { env, cwd, keyFile }: Pick<KnownKeys, 'env' | 'cwd'> & { keyFile?: string | undefined },
  service: string,
  variable: string,
  file: string | undefined,
): Pick<KeyUse, 'key' | 'keyAt' | 'isKeyGiven'> {
  const place = file === undefined ? variable : resolve(cwd, file);
  const namedBy = keyFile === undefined ? 'keyFile in services.yaml' : '--key-file PATH';
  const key =
    file === undefined
      ? (own(env, variable) ?? '').trim()
      : readConfigFile(file, cwd, 'key file', {
          code: 'SERVICE_KEY_MISSING',
          hint: `write the key of service ${service} into that file (and chmod 600 it), or name another one: ${namedBy}`,
        }).trim();
  if (isKey(key)) return { key, keyAt: place, isKeyGiven: keyFile !== undefined };
  const empty = file === undefined ? 'is empty or not set' : 'is empty';
  const what = key === '' ? empty : 'holds blanks or signs that no key has';
  throw usageError(
    'SERVICE_KEY_MISSING',
    `The key of service ${service}: ${place} ${what}.`,
    file === undefined ? `set ${variable}, or give --key-file PATH` : `write the key to ${place}`,
  );
}

/** A key becomes a header value: RFC 9110 5.5 allows visible ASCII; a line break would start another header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * A key that the operator has assigned to origins (scheme, host and port) is sent nowhere else, because somebody else may
 * have written the campaign file or the profile with the address. A key that nobody has assigned is not sent to an address
 * from a campaign file. Keys are compared by their value, since the same key may be in several variables and files.
 */
export function requireOwnKey(use: KeyUse, known: KnownKeys): void {
  const { addressFrom, key, url } = use;
  if (addressFrom === 'given') return;
  const owners = addressFrom === 'default' ? environmentOwner(key, known) : ownersOf(key, known);
  if (owners.some((owner) => isSameOrigin(owner.url, url))) return;
  const [owner] = owners;
  if (owner !== undefined) {
    const why = `belongs to ${owner.url} (${owner.place}) and is sent nowhere else`;
    throw foreign(use, why, known, owner.url);
  }
  // The operator has not said which origin this key belongs to, and a campaign file must not be the first to say so.
  if (addressFrom === 'file' && !use.isKeyGiven) {
    const why =
      'may not go there: the address comes from a campaign file, and you have not said where this key belongs';
    throw foreign(use, why, known);
  }
}

/**
 * As `requireOwnKey` for the key of lists: an entry of services.yaml has to name the address with this key. An empty
 * key is sent nowhere.
 */
export function requireOwnListKey(
  { from, keyEnv }: { from: readonly string[]; keyEnv: string },
  known: Omit<KnownKeys, 'own'>,
): void {
  const key = (own(known.env, keyEnv) ?? '').trim();
  if (key === '') return;
  const owners = ownersOf(key, { ...known, own: undefined });
  for (const address of from.filter(isAddress)) {
    if (owners.some((owner) => isSameOrigin(owner.url, address))) continue;
    const { origin } = new URL(address);
    const { path } = known.services;
    throw usageError(
      'LIST_KEY_FOREIGN',
      `No list is asked for at ${origin}: ${path} does not say that ${keyEnv} belongs there, and a campaign file may come from somebody else.`,
      `add \`lists: { url: ${origin}, keyEnv: ${keyEnv} }\` to ${path}, or set leadsKeyEnv to none`,
    );
  }
}

type Owner = NonNullable<KnownKeys['own']>;

function ownersOf(key: string, known: KnownKeys): Owner[] {
  const entries = [...known.services.entries].filter(
    ([name, entry]) => name !== SIMULATED && keyIn(entry, known.env) === key,
  );
  return [
    ...environmentOwner(key, known),
    ...entries.flatMap(([name, entry]) => {
      const url = entry.url ?? ownAddressOf(entry, known);
      return url === undefined ? [] : [{ url, place: `${name} in ${known.services.path}` }];
    }),
  ];
}

function environmentOwner(key: string, { env, own }: KnownKeys): Owner[] {
  return own !== undefined && (env[KEY_VARIABLE] ?? '').trim() === key ? [own] : [];
}

/** The key of an entry; undefined if it cannot be read. */
function keyIn({ keyEnv, keyFile }: ServiceEntry, env: KnownKeys['env']): string | undefined {
  if (keyFile === undefined) return own(env, keyEnv ?? KEY_VARIABLE)?.trim();
  try {
    return existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : undefined;
  } catch {
    return undefined;
  }
}

/** The address in the profile of an entry that has no address of its own. */
function ownAddressOf({ profile }: ServiceEntry, known: KnownKeys): string | undefined {
  const own = profile === undefined ? undefined : ownProfile(profile, known);
  return own && addressIn(own);
}

/** Searches only the operator's own folders: a profile beside a campaign file may have come with it. */
export function ownProfile(
  name: string,
  { cwd, home, services }: Pick<KnownKeys, 'cwd' | 'home' | 'services'>,
) {
  try {
    return findProfile(name, { cwd, home, beside: services.folder });
  } catch {
    return undefined;
  }
}

/** True if both addresses have the same scheme, host and port. */
export function isSameOrigin(a: string, b: string): boolean {
  return new URL(a).origin === new URL(b).origin;
}

function foreign(use: KeyUse, why: string, { services }: KnownKeys, owner?: string): AppError {
  const { service, url, addressFrom, addressAt, keyAt } = use;
  const where = addressAt === undefined ? '' : ` (${addressAt})`;
  return usageError(
    'SERVICE_KEY_FOREIGN',
    `Service ${service === url ? url : `${service} at ${url}`}${where} is not asked: ${keyAt} ${why}.`,
    NEXT[addressFrom](url, services.path, owner),
  );
}

const NEXT: Record<
  KeyUse['addressFrom'],
  (url: string, services: string, owner: string | undefined) => string
> = {
  given: () => '',
  default: (_url, services) =>
    `give the service a \`keyEnv\` of its own in ${services}; ${KEY_VARIABLE} goes to ${URL_VARIABLE}`,
  file: (url, services) =>
    `put the service into ${services} (\`main: { url: ${url}, keyEnv: MAIN_KEY }\`) and write \`service: main\` in the campaign file`,
  stored: (url, _services, owner) =>
    `give --service-url ${owner ?? ''} to go on there, or --key-file PATH with the key of ${url}`,
  profile: (url, services) =>
    `put the service into ${services} (\`main: { url: ${url}, keyEnv: MAIN_KEY }\`), or give --service-url ${url}`,
};
