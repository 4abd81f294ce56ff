import type { ServiceConfig } from '../../config/resolve-service.ts';
import type { ResolvedSettings } from '../../config/settings.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';

/**
 * A live service needs explicit calling rules: by flag, by file, or given earlier for this campaign while it was on a
 * live service. Rules that a rehearsal got by default do not count.
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
  // History entries with `live: true` were written only after this check had passed, so the rules were given then.
  const history = campaign === undefined ? [] : ((await store?.history(campaign.id)) ?? []);
  if (history.some(({ detail }) => detail['live'] === true)) return;
  throw usageError(
    'RULES_NOT_CHOSEN',
    `Service "${config.name}" calls real people, and no calling rules are chosen; this version has only "always": no calling hours, no caps.`,
    'start it when calling is allowed, and say so: --rules always',
  );
}
