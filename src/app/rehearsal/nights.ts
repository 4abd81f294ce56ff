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

/** Results of calls in which a person was talked to. */
const REACHED: readonly (LeadResult | null)[] = ['answered', 'opted_out'];

/** The calls of a rehearsal by night; a night without a call is not among them. */
export function nightsOf(
  calls: readonly RehearsedCall[],
  settings: Pick<CampaignSettings, 'timezone' | 'hours' | 'policy'>,
): RehearsedNight[] {
  const offsetAt = zoneOffsets(settings.policy?.zoneOverrides ?? []);
  const nights = new Map<string, RehearsedNight & { people: Set<number> }>();
  for (const { at, person, result } of calls) {
    const date = nightOf(at, settings, offsetAt);
    let night = nights.get(date);
    if (night === undefined) {
      const none = { calls: 0, reached: 0, results: {}, people: new Set<number>() };
      night = { night: date, ...none, firstAt: at, lastAt: at };
      nights.set(date, night);
    }
    night.calls += 1;
    night.firstAt = Math.min(night.firstAt, at);
    night.lastAt = Math.max(night.lastAt, at);
    if (result !== null) night.results[result] = (night.results[result] ?? 0) + 1;
    if (REACHED.includes(result)) night.people.add(person);
    night.reached = night.people.size;
  }
  return [...nights.values()].map(({ people: _, ...night }) => night);
}
