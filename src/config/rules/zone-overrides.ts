import type { ZoneOverride } from '../../domain/calling/policy.ts';

/** The corrections of Node's time-zone data in campaigns/rules/zone-overrides.yaml. @throws AppError `RULES_INVALID` */
export function loadZoneOverrides(): ZoneOverride[] {
  throw new Error('not written yet');
}
