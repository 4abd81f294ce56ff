import type { CampaignSettings } from '../../domain/campaign.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store, SuppressionFile } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { DAY_MS } from '../../domain/time-units.ts';

/**
 * Refuses to start calls when the newest dated suppression file is older than `suppression.maxAge` or a rule allows, or
 * there is none.
 *
 * @throws AppError `SUPPRESSION_TOO_OLD` (exit 2)
 */
export async function requireFreshSuppression(
  settings: CampaignSettings,
  store: Store | undefined,
  now: number,
): Promise<void> {
  const most = listAgeOf(settings);
  if (most === undefined) return;
  const newest = (await store?.suppressionFiles())?.[0];
  if (newest !== undefined && now - newest.asOf <= most.ms) return;
  throw usageError(
    'SUPPRESSION_TOO_OLD',
    tooOld(newest, most, now),
    `${NEWER}; --set suppression.maxAge=none calls without this check`,
  );
}

/**
 * Until when the newest dated file is fresh enough for a campaign, epoch ms, perhaps in the past: no call is started
 * later. Infinity when neither the campaign nor its rules set a maximum age.
 */
export async function suppressionHoldsUntil(
  campaign: Pick<Campaign, 'settings' | 'simulated'>,
  store: Store,
): Promise<number> {
  const most = listAgeOf(campaign.settings);
  if (most === undefined || campaign.simulated) return Infinity;
  const newest = (await store.suppressionFiles())[0];
  return newest === undefined ? -Infinity : newest.asOf + most.ms;
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
    const { id, settings } = campaign;
    const most = listAgeOf(settings);
    if (most === undefined || now <= (await suppressionHoldsUntil(campaign, store))) {
      told.delete(id);
      return true;
    }
    if (settings.schedule !== undefined || !told.has(id)) {
      told.add(id);
      const newest = (await store.suppressionFiles())[0];
      const why = tooOld(newest, most, now);
      problem(campaign, 'list_too_old', `${why} ${NEWER}, and calling goes on.`);
    }
    return false;
  };
}

interface ListAge {
  ms: number;
  /** What says so: `suppression.maxAge`, `rule us-federal`. */
  by: string;
}

/** The strictest age; undefined: the list may have any. */
function listAgeOf({ suppressionMaxAgeMs: own, listAge }: CampaignSettings): ListAge | undefined {
  if (own === null) return undefined;
  if (listAge !== undefined && listAge.ms < (own ?? Infinity))
    return { ms: listAge.ms, by: `rule ${listAge.by}` };
  return own === undefined ? undefined : { ms: own, by: 'suppression.maxAge' };
}

/** The next step, as a sentence of its own or the end of one. */
export const NEWER = '`callsheet suppress import FILE --as-of DAY` brings in a newer one';

function tooOld(newest: SuppressionFile | undefined, { ms, by }: ListAge, now: number): string {
  const what =
    newest === undefined
      ? 'The suppression list has no dated file'
      : `The newest dated file of the suppression list is ${ageText(newest, now)}`;
  return `${what}; ${by} allows ${counted(ms / DAY_MS, 'day')}, so nobody is called.`;
}

/** The date and age of a file, e.g. `of 2026-01-05 (12 days old, /lists/212.txt)`. */
export function ageText({ asOf, path }: SuppressionFile, now: number): string {
  const days = Math.max(0, Math.floor((now - asOf) / DAY_MS));
  return `of ${new Date(asOf).toISOString().slice(0, 10)} (${counted(days, 'day')} old, ${path})`;
}
