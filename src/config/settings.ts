import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';

import { formatByEnding, type CampaignSettings } from '../domain/campaign.ts';
import { refusedEnding } from '../domain/file-trouble.ts';
import {
  hasWildFolder,
  isAddress,
  isGlob,
  SOURCE_DEFAULTS,
  type ListSources,
} from '../domain/lists/list-mapping.ts';
import { usageError } from '../runtime/errors.ts';
import { isLoopback } from '../runtime/process.ts';
import { formatDuration } from '../text/times.ts';
import {
  chosen,
  hoursOf,
  layered,
  orElse,
  requiredOf,
  retryOf,
  stopOf,
  withPolicy,
} from './calling-settings.ts';
import { invalid, readFlags, type CampaignFile, type FlagsInput } from './campaign-file.ts';
import { readDefault, type CampaignValues } from './keys.ts';
import { settingAt, settingChanges } from './setting-changes.ts';
import { SETTING_ROWS } from './table/settings-table.ts';

export interface SettingsInput extends FlagsInput {
  /** The campaign's stored settings; undefined for a new campaign. */
  stored?: CampaignSettings | undefined;
  file?: CampaignFile | undefined;
  /** Folders that are given in place of a list, absolute; they stand in for `leads`. */
  sources?: readonly string[] | undefined;
  /** The folder that holds `campaigns/`, absolute; default: the package's own. */
  home?: string | undefined;
  defaults: {
    /** The machine's IANA time zone. */
    timezone: string;
    /** The agent to use if none is given; undefined: a missing agent is an error. */
    agent?: string | undefined;
    /** The longest call that the service's profile allows; default 15 minutes. */
    longestCallMs?: number | undefined;
    /** True: the service calls real people, so that rules hold unless somebody takes them away. Default false. */
    live?: boolean | undefined;
    /** The flags that reach the service, for the message of a missing agent. */
    serviceFlags?: string | undefined;
    /** True: the stored rules are a default that nobody chose, so that the default of this service replaces it. */
    replacesRules?: boolean | undefined;
  };
}

export type ResolvedSettings = ReturnType<typeof resolveSettings>;

/** The service as file and flags choose it; if there is a profile but no url, the url of the environment is used. */
export interface ServiceChoice {
  name?: string | undefined;
  /** The place of the name in a campaign file, e.g. `spring.yaml:3`; undefined: it comes from a flag. */
  nameAt?: string | undefined;
  url?: string | undefined;
  /** The place of the url in a campaign file, e.g. `spring.yaml:3`; undefined: it comes from a flag. */
  urlAt?: string | undefined;
  profile?: string | undefined;
}

/** More requests in flight than this would not help: a request takes far less time than a call. */
const DEFAULT_MAX_REQUESTS = 16;

export function defaultRules(live: boolean): string[] {
  return [live ? 'local' : 'always'];
}

/**
 * Merges flags, campaign file, stored settings and defaults, the first one first. Rules are read from their files and
 * composed, so an edited file takes effect.
 */
export function resolveSettings(input: SettingsInput) {
  const { stored, file, defaults } = input;
  const flags = readFlags(input);
  // A service given by a flag replaces everything that the file says about the service, not only its url.
  const isReplaced = (flags.values.service ?? flags.values['service.url']) !== undefined;
  const fromFile = { ...file?.values, ...(isReplaced && NO_SERVICE) };
  const values = layered(fromFile, flags.values);
  const merged = {
    ...merge(values, fromFile, stored, defaults),
    ...sourcesOf(values, stored, input.sources),
  };
  const { floorMs, ceilingMs } = merged.polling;
  if (floorMs > ceilingMs) {
    throw invalid(
      `polling.floor ${formatDuration(floorMs)} is above polling.ceiling ${formatDuration(ceilingMs)}; it must be at most that.`,
    );
  }
  const sourceOf = (key: string) => {
    const flag = withParts(key, flags.sources);
    return flag === undefined ? (placeIn(file, key) ?? FOLLOWED[key] ?? '') : `flag ${flag}`;
  };
  const { settings, ruleFiles } = withPolicy(merged, file?.folder, input.home);
  const service: ServiceChoice = {
    name: values.service,
    nameAt: flags.sources.has('service') ? undefined : placeIn(file, 'service'),
    url: values['service.url'],
    urlAt: flags.sources.has('service.url') ? undefined : placeIn(file, 'service.url'),
    profile: values['service.profile'],
  };
  return {
    settings,
    /** Differences from the stored settings; empty for a new campaign. */
    changes: stored === undefined ? [] : settingChanges(stored, settings, sourceOf),
    /** The files of `settings.rules`; those that `local` stands for in its place. */
    ruleFiles,
    /** Where the rules come from; those that a campaign on a simulated service has by default do not go live. */
    rulesFrom: originOf(flags.values.rules, file?.values.rules, stored),
    /** From `--name` or the file's `name`; otherwise the name of the campaign file itself. */
    name: flags.values.name ?? file?.name,
    /** Absolute paths of single lists; empty if none was given. */
    leads: (values.leads ?? []).filter((path) => !isSource(path)),
    service,
  };
}

/** Sources of changes that nobody made directly. */
const FOLLOWED: Readonly<Record<string, string>> = {
  requests: 'follows concurrency',
  'results.format': 'follows results.file',
  rules: 'default on live services',
};

const NO_SERVICE = { service: undefined, 'service.url': undefined, 'service.profile': undefined };

function originOf(flag: unknown, file: unknown, stored: unknown) {
  if (flag !== undefined) return 'flag';
  if (file !== undefined) return 'file';
  return stored === undefined ? 'default' : 'stored';
}

function merge(
  values: CampaignValues,
  file: CampaignValues,
  stored: CampaignSettings | undefined,
  defaults: SettingsInput['defaults'],
): CampaignSettings {
  const { live = false, replacesRules = false } = defaults;
  // A draft may have none yet.
  const agent = values.agent ?? (stored?.agent || defaults.agent);
  if (agent === undefined) {
    const { serviceFlags = '--service NAME' } = defaults;
    throw usageError(
      'AGENT_MISSING',
      'No agent is given: the service needs the ID of one.',
      `give --agent ID or \`agent:\` in the campaign file; \`callsheet agents list ${serviceFlags}\` shows them`,
    );
  }
  const plain = plainSettings(values, stored, defaults);
  const { concurrency, longestCallMs } = plain;
  return {
    ...plain,
    agent,
    requests: values.requests ?? storedRequests(stored) ?? defaultRequests(concurrency),
    rules:
      values.rules ?? (stored === undefined || replacesRules ? defaultRules(live) : stored.rules),
    ...chosen({
      hours: hoursOf(values, stored?.hours),
      retry: retryOf(values, file, stored?.retry),
      stop: stopOf(values, stored?.stop, longestCallMs),
      numbers: numbersOf(values, stored),
      variables: requiredOf(values.variables, stored?.variables, agent === stored?.agent),
    }),
    results: mergeResults(values, stored?.results ?? { file: null, format: 'csv' }),
  };
}

/** Settings that depend on others or come as a group: they are merged by functions of their own. */
const APART =
  /^(name|service|agent|requests|rules|hours|retry|stop|variables|numbers|sources|results)\b/;
/** Settings that are stored with their default; any other is left out where nobody has set it. */
const WITH_DEFAULT =
  /^(country|timezone|concurrency|pace|polling\..*|longestCall|unknown\.reconcileFor)$/;

/** All settings that stand alone: given, else stored, else the default. */
function plainSettings(
  values: CampaignValues,
  stored: CampaignSettings | undefined,
  { timezone, longestCallMs }: SettingsInput['defaults'],
) {
  const ofPlace: CampaignValues = { timezone, longestCall: longestCallMs };
  const settings: Record<string, unknown> = {};
  for (const [key, { at = key, byDefault }] of SETTING_ROWS) {
    if (APART.test(at)) continue;
    const hasDefault = WITH_DEFAULT.test(key);
    const before = stored === undefined && hasDefault ? ofPlace[key] : settingAt(stored, at);
    const base = before === undefined && hasDefault ? readDefault(key) : before;
    const value = orElse(values[key], base);
    // none is stored only where it is not the default.
    if (value === undefined || (value === null && byDefault === 'none' && !hasDefault)) continue;
    const [first = '', second] = at.split('.');
    settings[first] =
      second === undefined ? value : { ...(settings[first] as object), [second]: value };
  }
  return settings as unknown as CampaignSettings;
}

/** The policy for special numbers; undefined if nobody chose one, so that the defaults apply. */
function numbersOf(values: CampaignValues, stored: CampaignSettings | undefined) {
  const unassigned = values['numbers.unassigned'] ?? stored?.numbers?.unassigned;
  const tollFree = values['numbers.tollFree'] ?? stored?.numbers?.tollFree;
  const extension = values['numbers.extension'] ?? stored?.numbers?.extension;
  if ((unassigned ?? tollFree ?? extension) === undefined) return undefined;
  const policy = { unassigned: unassigned ?? 'accept', tollFree: tollFree ?? 'refuse' } as const;
  return { ...policy, ...chosen({ extension }) };
}

/** Without a format, the ending of the results file decides. */
function mergeResults(
  values: CampaignValues,
  base: CampaignSettings['results'],
): CampaignSettings['results'] {
  const file = values['results.file'];
  const format = values['results.format'];
  if (file === undefined) return { file: base.file, format: format ?? base.format };
  const refused = format === undefined ? refusedEnding('The results file', file) : undefined;
  if (typeof refused === 'string') throw invalid(refused);
  return { file, format: format ?? formatByEnding(file) };
}

/** Stored `requests` count only if somebody chose them; otherwise `requests` keeps following `concurrency`. */
function storedRequests(stored: CampaignSettings | undefined): number | undefined {
  const chosen = stored !== undefined && stored.requests !== defaultRequests(stored.concurrency);
  return chosen ? stored.requests : undefined;
}

/** How many requests are in flight where nobody has set it. */
export function defaultRequests(concurrency: number): number {
  return Math.min(concurrency, DEFAULT_MAX_REQUESTS);
}

function placeIn(file: CampaignFile | undefined, key: string): string | undefined {
  const line = file === undefined ? undefined : withParts(key, file.lines);
  return line === undefined || file === undefined ? undefined : `${basename(file.path)}:${line}`;
}

/** What is known of a key, or of the first of its parts: `hours.from` for `hours`. */
function withParts<T>(key: string, known: ReadonlyMap<string, T>): T | undefined {
  const found = known.get(key);
  if (found !== undefined) return found;
  return [...known].find(([part]) => part.startsWith(`${key}.`))?.[1];
}

/** True for a folder, a glob or an address: a place where `run` and `serve` look for new lists. */
export function isSource(path: string): boolean {
  if (isAddress(path)) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  // A file may have a star in its name.
  return found === undefined ? isGlob(path) || hasWildFolder(path) : found.isDirectory();
}

/** `leads` replaces all stored places; without it they stay. @param folders places that the command names itself */
function sourcesOf(
  values: CampaignValues,
  stored: CampaignSettings | undefined,
  folders: readonly string[] = [],
): Pick<CampaignSettings, 'sources'> {
  const given = values.leads ?? (folders.length > 0 ? folders : undefined);
  const from = given === undefined ? (stored?.sources?.from ?? []) : given.filter(isSource);
  if (from.length === 0) {
    refuseAlone(values);
    return {};
  }
  for (const place of given ?? []) requireUsable(place);
  const base = { ...SOURCE_DEFAULTS, ...stored?.sources };
  const keyEnv = values.leadsKeyEnv === undefined ? base.keyEnv : values.leadsKeyEnv;
  const sources: ListSources = {
    from: [...from],
    watch: values.watch ?? base.watch,
    after: values.after ?? base.after,
    mode: values.leadsMode ?? base.mode,
    maxMegabytes: values.leadsMaxMegabytes ?? base.maxMegabytes,
    ...(keyEnv == null ? {} : { keyEnv }),
  };
  return { sources };
}

const NEEDS_SOURCES = ['watch', 'after', 'leadsMode', 'leadsKeyEnv', 'leadsMaxMegabytes'] as const;

/** A setting without any effect is a mistake. */
function refuseAlone(values: CampaignValues): void {
  const alone = NEEDS_SOURCES.find((key) => values[key] !== undefined && values[key] !== false);
  if (alone === undefined) return;
  throw invalid(
    `${alone} has an effect only where leads names a folder, a glob such as lists/*.csv, or an address.`,
  );
}

function requireUsable(place: string): void {
  if (hasWildFolder(place) && !existsSync(place))
    throw invalid(
      `leads "${place}" has * in a folder's name; only the last part may have * and ?.`,
    );
  if (!isAddress(place)) return;
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url === undefined) throw invalid(`leads: "${place}" is not an address.`);
  if (url.username !== '' || url.password !== '')
    throw invalid('leads: an address holds a user or password; set leadsKeyEnv instead.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw invalid(`leads "${place}" is not https; plain http is allowed on loopback only.`);
}
