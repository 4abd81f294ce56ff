import { existsSync, statSync } from 'node:fs';
import type { CampaignSettings } from '../domain/campaign.ts';
import {
  hasWildFolder,
  isAddress,
  isGlob,
  SOURCE_DEFAULTS,
  type ListSources,
} from '../domain/lists/list-mapping.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { invalid } from './flags.ts';
import type { CampaignValues } from './keys.ts';

/** True for a folder, a glob or an address: lists are taken from there whenever the campaign opens. */
export function isSource(path: string): boolean {
  if (isAddress(path)) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  // A file may have a star in its name.
  return found === undefined ? isGlob(path) || hasWildFolder(path) : found.isDirectory();
}

/**
 * The places that lists are taken from. `leads` replaces the stored places as a whole; where it is not given, they stay.
 *
 * @param folders places that the command names itself
 * @throws AppError `SETTING_INVALID` (exit 2)
 */
export function sourcesOf(
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

/** A setting that would do nothing is a mistake of whoever set it. */
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
