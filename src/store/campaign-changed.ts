import { usageError, type AppError } from '../runtime/errors.ts';
import { textOrJson } from '../text/plural.ts';
import { shellWord } from '../text/shell-word.ts';
import type { HistoryEntry } from './campaigns.ts';

/**
 * The error `CAMPAIGN_CHANGED` (exit 2): the campaign is not the one any more that was looked at.
 *
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

/** An entry of `detail` that says what a setting was and is. */
export function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}
