import type { ServiceConfig } from '../../config/resolve-service.ts';
import type { ResolvedSettings } from '../../config/settings.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';

/**
 * A live service needs the rules spelled out: by flag, by file, or earlier for this campaign when it was on
 * a live service already. What a rehearsal got by default does not count.
 *
 * @throws AppError `RULES_NOT_CHOSEN` (exit 2)
 */
export async function requireRules(
  { rulesFrom }: ResolvedSettings,
  config: Pick<ServiceConfig, 'name' | 'live'>,
  store?: Store,
  campaign?: Campaign,
): Promise<void> {
  if (!config.live || rulesFrom === 'flag' || rulesFrom === 'file') return;
  // Every change of a campaign on a live service is in its history as `live`, and passed this check.
  const history = campaign === undefined ? [] : ((await store?.history(campaign.id)) ?? []);
  if (history.some(({ detail }) => detail['live'] === true)) return;
  throw usageError(
    'RULES_NOT_CHOSEN',
    `Service "${config.name}" calls real people, and no calling rules are chosen; this version has only "always": no calling hours, no caps.`,
    'start it when calling is allowed, and say so: --rules always',
  );
}
