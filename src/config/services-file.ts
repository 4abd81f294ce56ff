import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { usageError } from '../runtime/errors.ts';
import type { NoticeTarget } from '../domain/notices.ts';
import { isPath } from './campaign-file.ts';
import * as field from './fields.ts';
import { sentences, unknownKey } from './keys.ts';
import { readNotify } from './notify.ts';
import { nearest } from '../text/nearest.ts';
import { problemsError, type Problem } from '../runtime/yaml.ts';
import { readConfigFile, readEntries, type Entry } from './yaml-file.ts';

/** The file that names services, relative to the folder that holds `campaigns/`. */
export const DEFAULT_SERVICES = 'campaigns/services.yaml';

/** The name of the embedded service, which needs no entry. */
export const SIMULATED = 'simulated';

export interface Services {
  /** The path as the operator gave it, for messages. */
  path: string;
  /** Set if the default file does not exist and the operator named no other. */
  isMissing?: true;
  /** The absolute folder that the file's relative paths start from. */
  folder: string;
  entries: ReadonlyMap<string, ServiceEntry>;
  /** Receivers of notices of every campaign; left out: none. */
  notify?: readonly NoticeTarget[];
}

const entryKeys = z.strictObject({
  /** Required if the profile gives no address. */
  url: field.serviceUrl.optional(),
  profile: field.text('the name or path of a profile').optional(),
  keyEnv: field.environmentName.optional(),
  keyFile: field.text('the path of a file that holds the key').optional(),
  from: field.text('the number, or its id at the service, that calls come from').optional(),
  /** Values for the names in braces in the profile's paths, such as `{account}`. */
  ids: z
    .record(z.string(), field.text('an id of the account'), {
      error: 'is no list of ids by name, such as { account: ... }',
    })
    .optional(),
  webhookSecretEnv: field.environmentNames.optional(),
  maxCalls: field.whole({ min: 1, max: 10_000 }).optional(),
  dialsPerSecond: field.whole({ min: 1, max: 10_000 }).optional(),
});
const simulatedKeys = z.strictObject({ maxCalls: field.whole({ min: 1, max: 10_000 }).optional() });

export type ServiceEntry = Partial<z.output<typeof entryKeys>>;

/**
 * Reads services.yaml; if the file does not exist, the only service is `simulated`.
 * @param path null: `campaigns/services.yaml` of `home`, which may be missing
 * @param home the folder that holds `campaigns/`, absolute; default: the working folder
 */
export function loadServices(path: string | null, cwd: string, home = cwd): Services {
  const shown = path ?? (home === cwd ? DEFAULT_SERVICES : join(home, DEFAULT_SERVICES));
  const folder = dirname(resolve(cwd, shown));
  const builtIn: [string, ServiceEntry] = [SIMULATED, {}];
  if (path === null && !existsSync(resolve(cwd, shown))) {
    return { path: shown, folder, entries: new Map([builtIn]), isMissing: true };
  }
  const text = readConfigFile(shown, cwd, 'services file', {
    code: 'SERVICES_FILE_NOT_FOUND',
    hint: `check the path of --services; without it, it is ${DEFAULT_SERVICES}`,
  });
  const { entries: all, problems } = readEntries(text);
  const entries = all.filter(({ key }) => !isNotify(key));
  const notify = all
    .filter(({ key }) => isNotify(key))
    .flatMap((entry) => ownTargets(entry, folder, problems));
  const services = new Map([builtIn]);
  for (const name of new Set(entries.map(({ key }) => key.replace(/\..*/s, '')))) {
    const own = entries.filter(({ key }) => `${key}.`.startsWith(`${name}.`));
    services.set(name, readService(name, own, problems, folder));
  }
  if (problems.length > 0) {
    const hint =
      'mend the file; an entry is `main: { url, profile, keyEnv, keyFile, from, ids, maxCalls, dialsPerSecond, webhookSecretEnv }`';
    throw problemsError('SERVICES_FILE_INVALID', shown, problems, hint);
  }
  return { path: shown, folder, entries: services, notify };
}

/**
 * @param namedAt the place in a campaign file that names the service, e.g. `spring.yaml:3`
 * @throws AppError `SERVICE_UNKNOWN` (exit 2), naming the most similar service
 */
export function findService(services: Services, name: string, namedAt?: string): ServiceEntry {
  const entry = services.entries.get(name);
  if (entry !== undefined) return entry;
  const names = [...services.entries.keys()];
  const near = nearest(name, names);
  const meant = near === undefined ? `it has ${names.join(', ')}.` : `did you mean "${near}"?`;
  const at = namedAt === undefined ? '' : `${namedAt}: `;
  const message = services.isMissing
    ? `There is no service "${name}", as there is no ${services.path}; ${near === undefined ? `without it there is only ${SIMULATED}.` : meant}`
    : `There is no service "${name}" in ${services.path}; ${meant}`;
  const add = services.isMissing
    ? '`callsheet init` writes that file'
    : `add it to ${services.path}`;
  throw usageError(
    'SERVICE_UNKNOWN',
    at + message,
    `${near === undefined ? '' : 'correct the name, or '}${add}, or give --service-url URL --profile NAME`,
  );
}

/** `notify` is no name of a service. */
function isNotify(key: string): boolean {
  return /^notify(\.|$)/.test(key);
}

function ownTargets(
  { key, value, valueAt }: Entry,
  folder: string,
  problems: Problem[],
): NoticeTarget[] {
  const read =
    key === 'notify' ? readNotify(value, folder) : 'is a list, not a group; put `- ` before each';
  if (typeof read !== 'string') return read ?? [];
  problems.push({ ...valueAt, sentence: `notify ${read}.` });
  return [];
}

function readService(
  name: string,
  entries: readonly Entry[],
  problems: Problem[],
  folder: string,
): ServiceEntry {
  const first = entries[0]?.keyAt ?? { line: 1, column: 1 };
  if (!field.serviceName.safeParse(name).success) {
    const sentence = `"${name}" cannot be the name of a service; use at most 64 letters, digits, - and _, a letter or digit first.`;
    problems.push({ ...first, sentence });
    return {};
  }
  const schema = name === SIMULATED ? simulatedKeys : entryKeys;
  const known = Object.keys(schema.shape).map((key) => `${name}.${key}`);
  const ids = new Map<string, unknown>();
  const values = new Map<string, unknown>();
  const before = problems.length;
  for (const { key, value, keyAt } of entries) {
    if (key === name && value === '' && name === SIMULATED) continue;
    const isId = /^ids\.([a-z][\w-]*)$/i.exec(key.slice(name.length + 1));
    const id = name === SIMULATED ? undefined : isId?.[1];
    if (id !== undefined) ids.set(id, value);
    else if (known.includes(key)) values.set(key.slice(name.length + 1), value);
    else problems.push({ ...keyAt, sentence: unknownKey(key, known) });
  }
  if (ids.size > 0) values.set('ids', Object.fromEntries(ids));
  const result = schema.safeParse(Object.fromEntries(values));
  if (
    name !== SIMULATED &&
    entries[0]?.key !== name &&
    !values.has('url') &&
    !values.has('profile')
  ) {
    const sentence = `${name} has no url; it needs the base address, or a profile that gives one.`;
    problems.push({ ...first, sentence });
  }
  if (result.success) {
    return problems.length > before ? {} : withPaths(result.data, folder);
  }
  // Messages do not show the value of keyEnv, because it may be the key itself by mistake.
  values.delete('keyEnv');
  values.delete('webhookSecretEnv');
  for (const { key, sentence } of sentences(result.error, values)) {
    const at = `${name}.${key}`;
    const entry = entries.find((candidate) => `${candidate.key}.`.startsWith(`${at}.`));
    if (entry !== undefined) problems.push({ ...entry.valueAt, sentence: `${name}.${sentence}` });
  }
  return {};
}

function withPaths(entry: ServiceEntry, folder: string): ServiceEntry {
  const { profile, keyFile } = entry;
  return {
    ...entry,
    ...(profile !== undefined && isPath(profile) && { profile: resolve(folder, profile) }),
    ...(keyFile !== undefined && { keyFile: resolve(folder, keyFile) }),
  };
}
