import type { CampaignSettings } from '../domain/campaign.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Store, SuppressionFile } from '../store/port.ts';
import { counted } from './plural.ts';

const DAY_MS = 86_400_000;

/**
 * Calls are not started on the word of a registry file that is too old, or of none: `suppression.maxAge`.
 *
 * @throws AppError `SUPPRESSION_TOO_OLD` (exit 2)
 */
export async function requireFreshSuppression(
  { suppressionMaxAgeMs: most }: CampaignSettings,
  store: Store | undefined,
  now: number,
): Promise<void> {
  if (most === undefined) return;
  const newest = (await store?.suppressionFiles())?.[0];
  if (newest !== undefined && now - newest.asOf <= most) return;
  const what =
    newest === undefined
      ? 'No file with a day is on the suppression list'
      : `The newest file on the suppression list is ${ageText(newest, now)}`;
  throw new AppError(
    'SUPPRESSION_TOO_OLD',
    `${what}; suppression.maxAge allows ${counted(most / DAY_MS, 'day')}, so nobody is called.`,
    {
      hint: '`callsheet suppress import FILE --as-of DAY` brings in a newer one; --set suppression.maxAge=none does without',
      exitCode: EXIT.usage,
    },
  );
}

/** `of 2026-01-05 (12 days old, /lists/212.txt)`. */
export function ageText({ asOf, path }: SuppressionFile, now: number): string {
  const days = Math.max(0, Math.floor((now - asOf) / DAY_MS));
  return `of ${new Date(asOf).toISOString().slice(0, 10)} (${counted(days, 'day')} old, ${path})`;
}
