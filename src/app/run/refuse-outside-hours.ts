import type { CampaignSettings } from '../../domain/campaign.ts';
import { usageError } from '../../runtime/errors.ts';
import { openHours } from '../plan/open-hours.ts';
import { openingText } from '../sentences/hours-lines.ts';

/**
 * Refuses a single call to a person whose hours are closed.
 *
 * @param zoneKey where the person is, see `zoneKey` of domain/calling
 * @throws AppError `CALL_OUTSIDE_HOURS` (exit 2)
 */
export function refuseOutsideHours(
  phone: string,
  zoneKey: string,
  settings: CampaignSettings,
  now: number,
): void {
  const person = { zoneKey, waiting: 1, firstNotBefore: 0 };
  const { next, shut } = openHours(settings.policy, [person], now);
  const [never] = shut;
  const other = 'choose other rules with --rules NAME (`--rules always`: none)';
  if (next !== null) {
    throw usageError(
      'CALL_OUTSIDE_HOURS',
      `${phone} may not be called now: ${next.why}. The hours open ${openingText(next, settings)}.`,
      `call then, or ${other}`,
    );
  }
  if (never === undefined) return;
  const where = never.zones.length === 0 ? '' : ` (in ${never.zones.join(', ')})`;
  const zone = never.by === 'zones.unknown' ? '--set zones.unknown=ZONE says where it is, or ' : '';
  throw usageError(
    'CALL_OUTSIDE_HOURS',
    `${phone} may never be called: ${never.by}: ${never.why}${where}.`,
    `${zone}${other}`,
  );
}
