import type { CampaignSettings, ListAge } from '../../domain/campaign.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store, SuppressionFile } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { DAY_MS } from '../../domain/time-units.ts';

/**
 * Refuses to start calls when a file of the suppression list that `suppression.maxAge` or a rule asks for is too old or
 * missing. For a campaign that is not stored yet, areas are looked at when its people are.
 */
export async function requireFreshSuppression(
  settings: CampaignSettings,
  store: Store | undefined,
  now: number,
  campaignId?: string,
): Promise<void> {
  const stale = await oldest(settings, store, campaignId);
  if (stale === undefined || stale.until >= now) return;
  throw usageError(
    'SUPPRESSION_TOO_OLD',
    tooOld(stale, now),
    `${newerFor(stale)}; --set suppression.maxAge=none calls without this check`,
  );
}

/**
 * Until when the files of the suppression list are fresh enough for a campaign, epoch ms, perhaps in the past: no call is
 * started later. Infinity when neither the campaign nor its rules set a maximum age.
 */
export async function suppressionHoldsUntil(
  campaign: Pick<Campaign, 'settings' | 'simulated'> & { id?: string },
  store: Store,
): Promise<number> {
  if (campaign.simulated) return Infinity;
  return (await oldest(campaign.settings, store, campaign.id))?.until ?? Infinity;
}

/**
 * Used by `serve` before each run of a campaign, because the list ages while `serve` works for weeks. A refusal is
 * reported once, or at each time of a schedule.
 */
export function checkSuppressionAge(
  store: Store,
  problem: (campaign: Campaign, reason: string, sentence: string) => void,
) {
  const told = new Set<string>();
  return async (campaign: Campaign, now: number): Promise<boolean> => {
    const { id, settings, simulated } = campaign;
    const stale = simulated ? undefined : await oldest(settings, store, id);
    if (stale === undefined || now <= stale.until) {
      told.delete(id);
      return true;
    }
    if (settings.schedule !== undefined || !told.has(id)) {
      told.add(id);
      const why = tooOld(stale, now);
      problem(campaign, 'list_too_old', `${why} ${newerFor(stale)}, and calling goes on.`);
    }
    return false;
  };
}

/** What is asked for, and until when it is met. */
interface Stale {
  age: ListAge;
  /** The area code with the oldest file; null: areas do not matter. */
  area: string | null;
  file: SuppressionFile | undefined;
  /** Epoch ms; -Infinity: there is no such file. */
  until: number;
}

/** Of all files that are asked for, the one that is too old first; undefined: none is asked for. */
async function oldest(
  settings: CampaignSettings,
  store: Store | undefined,
  campaignId: string | undefined,
): Promise<Stale | undefined> {
  const ages = agesOf(settings);
  if (ages.length === 0) return undefined;
  const files = (await store?.suppressionFiles()) ?? [];
  const byArea = ages.some(({ areasOf }) => areasOf !== null) && campaignId !== undefined;
  const waiting = byArea ? ((await store?.waitingAreas(campaignId)) ?? []) : [];
  const all = ages.flatMap((age) => {
    const of = files.filter(({ registry }) => age.registry === null || registry === age.registry);
    const stale = (area: string | null): Stale => {
      const file = of.find(({ areas }) => area === null || areas === null || areas.includes(area));
      return { age, area, file, until: file === undefined ? -Infinity : file.asOf + age.ms };
    };
    const { areasOf } = age;
    if (areasOf === null || campaignId === undefined) return [stale(null)];
    const isThere = (key: string) =>
      placeOf(key).regions.some((region) => areasOf.includes(region.slice(0, 2)));
    const areas = waiting.filter(({ zoneKey }) => isThere(zoneKey)).map(({ area }) => area);
    return [...new Set(areas)].map(stale);
  });
  return all.toSorted((a, b) => (a.until < b.until ? -1 : 1))[0];
}

function agesOf({ suppressionMaxAgeMs: own, listAges, listAge }: CampaignSettings): ListAge[] {
  if (own === null) return [];
  const any = { registry: null, areasOf: null };
  const stored = listAges ?? (listAge === undefined ? [] : [{ ...listAge, ...any }]);
  const rules = stored.map((age) => ({ ...age, by: `rule ${age.by}` }));
  return [...(own === undefined ? [] : [{ ms: own, by: 'suppression.maxAge', ...any }]), ...rules];
}

/** The next step, as a sentence of its own or the end of one. */
export const NEWER = '`callsheet suppress import FILE --as-of DAY` brings in a newer one';

function newerFor({ age: { registry }, area }: Stale): string {
  if (registry === null) return NEWER;
  const areas = area === null ? '' : ` --areas ${area}`;
  return NEWER.replace('FILE', `FILE --registry ${registry}${areas}`);
}

function tooOld({ age: { ms, by, registry }, area, file }: Stale, now: number): string {
  const of = registry === null ? '' : ` of ${registry}${area === null ? '' : ` for area ${area}`}`;
  const what =
    file === undefined
      ? `The suppression list has no dated file${of}`
      : `The newest dated file${of} of the suppression list is ${ageText(file, now)}`;
  return `${what}; ${by} allows ${counted(ms / DAY_MS, 'day')}, so nobody is called.`;
}

/** The date and age of a file, e.g. `of 2026-01-05 (12 days old, /lists/212.txt)`. */
export function ageText({ asOf, path }: SuppressionFile, now: number): string {
  const days = Math.max(0, Math.floor((now - asOf) / DAY_MS));
  return `of ${new Date(asOf).toISOString().slice(0, 10)} (${counted(days, 'day')} old, ${path})`;
}
