import { callingHours } from '../../domain/calling/calling-hours.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, ExportRow, FoundLead, HistoryEntry } from '../../store/port.ts';

/** How often calling hours kept a person waiting before their first call, by the rules as they are now. */
export interface ClosedTimes {
  times: number;
  /** Epoch ms. */
  first: { from: number; until: number | null };
  last: { from: number; until: number | null };
  by: string;
  why: string;
}

/** More times than this are not counted: that is half a year of nights. */
const MOST_TIMES = 200;

/**
 * The times between the end of the import (or the start of the campaign, or the last change of what decides about
 * hours, whichever is later) and the first call at which the hours of this person were closed.
 *
 * @returns null: they were open all the time, or there are none
 */
export function closedTimes(
  { settings: { policy } }: Campaign,
  { zoneKey }: FoundLead,
  {
    from,
    attempts,
    now,
    history,
  }: {
    from: number;
    attempts: readonly ExportRow[];
    now: number;
    history: readonly HistoryEntry[];
  },
): ClosedTimes | null {
  if (policy === undefined) return null;
  const decided = history.filter(
    ({ what, detail }) => what === 'campaign.started' || DECIDES.some((key) => key in detail),
  );
  const start = Math.max(from, ...decided.map(({ at }) => at));
  const end = Math.min(
    now,
    ...attempts.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.intentAt])),
  );
  const hoursAt = callingHours(policy, zoneOffsets(policy.zoneOverrides));
  let closed = null as ClosedTimes | null;
  for (let at = start; at < end;) {
    const hours = hoursAt(zoneKey, at);
    if (hours.open) {
      at = hours.until;
      continue;
    }
    const { until, by, why } = hours.hold;
    const time = { from: at, until };
    closed =
      closed === null
        ? { times: 1, first: time, last: time, by, why }
        : { ...closed, times: closed.times + 1, last: time };
    if (until === null || closed.times >= MOST_TIMES) return closed;
    at = until;
  }
  return closed;
}

/** Changes of these settings are changes of the hours. */
const DECIDES = ['rules', 'hours', 'holidays', 'zones.unknown', 'ringTime', 'timezone'];
