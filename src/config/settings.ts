import { basename } from 'node:path';
import { formatByEnding, type CampaignSettings } from '../domain/campaign.ts';
import { refusedEnding } from '../domain/file-endings.ts';
import { usageError } from '../runtime/errors.ts';
import type { CampaignFile } from './campaign-file.ts';
import { settingChanges } from './setting-changes.ts';
import { formatDuration } from '../text/durations.ts';
import { invalid, readFlags, type FlagsInput } from './flags.ts';
import type { CampaignValues } from './keys.ts';

export interface SettingsInput extends FlagsInput {
  /** The campaign's stored settings; undefined for a new campaign. */
  stored?: CampaignSettings | undefined;
  file?: CampaignFile | undefined;
  defaults: {
    /** The machine's IANA time zone. */
    timezone: string;
    /** The agent to use if none is given; undefined: a missing agent is an error. */
    agent?: string | undefined;
    /** The longest call that the service's profile allows; default 15 minutes. */
    longestCallMs?: number | undefined;
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

/** All defaults of a campaign's policy except `requests`, which follows `concurrency`. */
const DEFAULTS = {
  country: null,
  concurrency: 5,
  pace: null,
  rules: ['always'],
  polling: { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
  longestCallMs: 900_000,
  reconcileForMs: 600_000,
  results: { file: null, format: 'csv' },
} satisfies Partial<CampaignSettings>;

/** More requests in flight than this would not help: a request takes far less time than a call. */
const DEFAULT_MAX_REQUESTS = 16;

/**
 * Merges four sources into one strict policy: flags win over the campaign file, the file over the stored settings, and
 * the stored settings over the defaults.
 *
 * @throws AppError `SETTING_INVALID`, `AGENT_MISSING` (exit 2)
 */
export function resolveSettings(input: SettingsInput) {
  const { stored, file, defaults } = input;
  const flags = readFlags(input);
  // A service given by a flag replaces everything that the file says about the service, not only its url.
  const isReplaced = (flags.values.service ?? flags.values['service.url']) !== undefined;
  const values = { ...file?.values, ...(isReplaced && NO_SERVICE), ...flags.values };
  const settings = merge(values, stored, defaults);
  const { floorMs, ceilingMs } = settings.polling;
  if (floorMs > ceilingMs) {
    throw invalid(
      `polling.floor ${formatDuration(floorMs)} is above polling.ceiling ${formatDuration(ceilingMs)}; it must be at most that.`,
    );
  }
  const sourceOf = (key: string) => {
    if (flags.sources.has(key)) return `flag ${flags.sources.get(key) ?? ''}`;
    const followed = key === 'requests' ? 'follows concurrency' : 'follows results.file';
    return placeIn(file, key) ?? followed;
  };
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
    /** Where the rules come from: for a live service the operator must give them; the default is not enough. */
    rulesFrom: originOf(flags.values.rules, file?.values.rules, stored),
    /** From `--name` or the file's `name`; otherwise the name of the campaign file itself. */
    name: flags.values.name ?? file?.name,
    /** Absolute paths; empty if none was given. */
    leads: values.leads ?? [],
    service,
  };
}

const NO_SERVICE = { service: undefined, 'service.url': undefined, 'service.profile': undefined };

/** Where a value comes from. */
function originOf(flag: unknown, file: unknown, stored: unknown) {
  if (flag !== undefined) return 'flag';
  if (file !== undefined) return 'file';
  return stored === undefined ? 'default' : 'stored';
}

function merge(
  values: CampaignValues,
  stored: CampaignSettings | undefined,
  defaults: SettingsInput['defaults'],
): CampaignSettings {
  const { timezone, longestCallMs = DEFAULTS.longestCallMs } = defaults;
  const base = stored ?? { ...DEFAULTS, longestCallMs, timezone };
  const agent = values.agent ?? stored?.agent ?? defaults.agent;
  if (agent === undefined) {
    throw usageError(
      'AGENT_MISSING',
      'No agent is given: the service needs the ID of one.',
      'give --agent ID or `agent:` in the campaign file; `callsheet agents list` shows them',
    );
  }
  const concurrency = values.concurrency ?? base.concurrency;
  return {
    agent,
    country: orElse(values.country, base.country),
    timezone: values.timezone ?? base.timezone,
    concurrency,
    pace: orElse(values.pace, base.pace),
    requests: values.requests ?? storedRequests(stored) ?? defaultRequests(concurrency),
    rules: values.rules ?? base.rules,
    polling: {
      floorMs: values['polling.floor'] ?? base.polling.floorMs,
      ceilingMs: values['polling.ceiling'] ?? base.polling.ceilingMs,
      deadlineMs: values['polling.deadline'] ?? base.polling.deadlineMs,
    },
    longestCallMs: values.longestCall ?? base.longestCallMs,
    reconcileForMs: values['unknown.reconcileFor'] ?? base.reconcileForMs,
    ...chosen({
      refusals: values.refusals ?? stored?.refusals,
      schedule: orElse(values.schedule, stored?.schedule),
      numbers: numbersOf(values, stored),
      suppressionMaxAgeMs: orElse(values['suppression.maxAge'], stored?.suppressionMaxAgeMs),
      skipCalled: orElse(values.skipCalled, stored?.skipCalled),
    }),
    results: mergeResults(values, base.results),
  };
}

/** Like `??`, except that null counts as a value: `none` removes a stored setting. */
function orElse<T, S>(given: T | undefined, stored: S): T | S {
  return given === undefined ? stored : given;
}

/** Only the settings that have a value; the rest are left out, so that their defaults apply. */
function chosen<T extends object>(given: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(set) as { [K in keyof T]?: NonNullable<T[K]> };
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

function defaultRequests(concurrency: number): number {
  return Math.min(concurrency, DEFAULT_MAX_REQUESTS);
}

function placeIn(file: CampaignFile | undefined, key: string): string | undefined {
  const line = file?.lines.get(key);
  return line === undefined || file === undefined ? undefined : `${basename(file.path)}:${line}`;
}
