import type { CampaignSettings, CampaignState, PauseReason } from '../domain/campaign.ts';
import { usageError, type AppError } from '../runtime/errors.ts';
import { shellWord, textOrJson } from '../text/wording.ts';

/** Campaigns and their history: part of the port. Times are epoch ms. */

export interface NewCampaign {
  id: string;
  name: string;
  /** `list` campaigns are listed; `call` is the single test call of `callsheet call`. */
  kind: 'list' | 'call';
  service: string;
  /** True for the embedded service; never changes once the campaign has people. */
  simulated: boolean;
  settings: CampaignSettings;
  createdAt: number;
}

export interface Campaign extends NewCampaign {
  state: CampaignState;
  pauseReason: PauseReason | null;
  /** The sentence that goes with the pause; null unless paused. */
  pauseDetail: string | null;
  /** Epoch ms; left out: not archived. An archived campaign is not called; its past calls still count. */
  archivedAt?: number;
  /** 1 for a new campaign, one more with each change. */
  version: number;
}

export interface CampaignChange {
  state?: Exclude<CampaignState, 'paused'>;
  pause?: { reason: PauseReason; detail: string };
  settings?: CampaignSettings;
  service?: string;
  /** Only of a campaign without people. */
  simulated?: boolean;
  /** Another name; the history keeps the old one. */
  name?: string;
  /** Epoch ms: archives it, allowed only when no lead waits and no call is open or in doubt; null: undoes that. */
  archivedAt?: number | null;
  /** The version that the caller has seen; with any other version nothing is changed. */
  ifVersion?: number | undefined;
}

export interface HistoryEntry {
  at: number;
  /** Operating-system user, or `callsheet` for the program itself. */
  who: string;
  /** noun.pastVerb, e.g. `campaign.paused`. */
  what: string;
  detail: Record<string, unknown>;
}

/**
 * The error `CAMPAIGN_CHANGED` (exit 2): somebody changed the campaign after the user looked at it.
 * @param history its last change is named
 * @param history of the campaign; its last change is named
 */
export function campaignChanged(name: string, history: readonly HistoryEntry[]): AppError {
  const last = history.findLast(({ what }) => what.startsWith('campaign.'));
  const who = last === undefined ? '' : ` The last change: ${last.who}, ${wordsOf(last)}.`;
  return usageError(
    'CAMPAIGN_CHANGED',
    `Campaign "${name}" was changed since you looked at it; nothing was done.${who}`,
    `look at it again (\`callsheet status ${shellWord(name)}\`), then decide`,
  );
}

/** `campaign.changed: concurrency 5 -> 20`, or only what was done. */
function wordsOf({ what, detail }: HistoryEntry): string {
  const changes = Object.entries(detail).flatMap(([key, value]) =>
    isChange(value) ? [`${key} ${textOrJson(value.from)} -> ${textOrJson(value.to)}`] : [],
  );
  return changes.length === 0 ? what : `${what}: ${changes.join(', ')}`;
}

export function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}
