import { FINAL_RESULTS } from '../../domain/calling/standing.ts';
import { nightOf } from '../../domain/nights/night.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import type { LeadResult } from '../../domain/lead.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { RehearsedCall } from '../../store/sqlite/scratch/rehearsed.ts';

/** What would have happened in one night. */
export interface RehearsedNight {
  /** The local date in the campaign's zone on which calling began: `2026-01-05`. */
  night: string;
  calls: number;
  /** People who were talked to. */
  reached: number;
  results: Partial<Record<LeadResult, number>>;
  /** When the first and the last call began, epoch ms. */
  firstAt: number;
  lastAt: number;
}

/** The calls of a rehearsal by night; a night without a call is not among them. */
export function nightsOf(
  calls: readonly RehearsedCall[],
  settings: Pick<CampaignSettings, 'timezone' | 'hours' | 'policy'>,
): RehearsedNight[] {
  const offsetAt = zoneOffsets(settings.policy?.zoneOverrides ?? []);
  const nights = new Map<string, RehearsedNight>();
  const reached = new Set<string>();
  for (const { at, person, result } of calls) {
    const date = nightOf(at, settings, offsetAt);
    const night = nights.get(date) ?? {
      ...{ night: date, calls: 0, reached: 0, results: {} },
      ...{ firstAt: at, lastAt: at },
    };
    nights.set(date, night);
    night.calls += 1;
    night.firstAt = Math.min(night.firstAt, at);
    night.lastAt = Math.max(night.lastAt, at);
    if (result === null) continue;
    night.results[result] = (night.results[result] ?? 0) + 1;
    if (!FINAL_RESULTS.includes(result)) continue;
    const key = `${date} ${person}`;
    if (!reached.has(key)) night.reached += 1;
    reached.add(key);
  }
  return [...nights.values()];
}
