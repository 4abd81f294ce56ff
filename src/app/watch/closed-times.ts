import type { Campaign, ExportRow, FoundLead, HistoryEntry } from '../../store/port.ts';
import { hoursOf } from '../plan/schedule-times.ts';

/** How often calling hours kept a person waiting between two calls, or before the first one. Times are epoch ms. */
export interface ClosedTimes {
  times: number;
  first: { from: number; until: number | null };
  last: { from: number; until: number | null };
  by: string;
  why: string;
  /**
   * When what decides about hours was last changed, if that was later: then these are not the hours that held, which
   * are not kept, but those of now. Null: these hours held.
   */
  changedAt: number | null;
}

/** More times than this are not counted: that is half a year of nights. */
const MOST_TIMES = 200;

/**
 * The times at which the hours of this person were closed while they waited: from the end of the import or the start of
 * the campaign until the first call, after each call until the next one, and after the last one.
 *
 * @param waited.until when they ceased to wait without a call, or the present, epoch ms
 */
export function closedTimes(
  { settings: { policy } }: Campaign,
  { zoneKey, state }: Pick<FoundLead, 'zoneKey' | 'state'>,
  waited: {
    from: number;
    until: number;
    attempts: readonly ExportRow[];
    history: readonly HistoryEntry[];
  },
): ClosedTimes[] {
  const started = waited.history.find(({ what }) => what === 'campaign.started');
  if (policy === undefined || started === undefined) return [];
  const changes = waited.history.filter(({ detail }) => Object.keys(detail).some(decides));
  const changedAt = changes.at(-1)?.at ?? -Infinity;
  const hoursAt = hoursOf(policy);

  const begin = Math.max(waited.from, started.at);
  return periods(begin, waited, state !== 'done').flatMap(([from, until]) => {
    const before = closed(from, Math.min(until, changedAt), changedAt);
    const since = closed(Math.max(from, changedAt), until, null);
    return [before, since].filter((each) => each !== null);
  });

  function closed(from: number, end: number, changed: number | null): ClosedTimes | null {
    let found = null as ClosedTimes | null;
    for (let at = from; at < end && (found?.times ?? 0) < MOST_TIMES;) {
      const hours = hoursAt(zoneKey, at);
      if (hours.open) {
        at = hours.until;
        continue;
      }
      const { until, by, why } = hours.hold;
      const last = { from: at, until };
      const { times = 0, first = last } = found ?? {};
      found = { times: times + 1, first, last, by, why, changedAt: changed };
      at = until ?? Infinity;
    }
    return found;
  }
}

/** The periods `[from, until)` in which the person waited, oldest first. @param isOpen false: the last call ended it */
function periods(
  begin: number,
  { attempts, until }: { attempts: readonly ExportRow[]; until: number },
  isOpen: boolean,
): [from: number, until: number][] {
  const all: [number, number][] = [];
  let from: number | null = begin;
  for (const { attempt } of attempts) {
    if (attempt === null) continue;
    if (from !== null) all.push([from, attempt.intentAt]);
    const isReleased = attempt.state === 'released';
    from = isReleased ? attempt.intentAt : (attempt.settledAt ?? attempt.endedAt);
  }
  if (from !== null && (isOpen || all.length === 0)) all.push([from, until]);
  return all;
}

/** True for a key of the campaign file, in an entry of the history, whose change is a change of the hours. */
function decides(key: string): boolean {
  return DECIDES.some((name) => key === name || key.startsWith(`${name} `));
}

const DECIDES = [
  'rules',
  'hours',
  'holidays',
  'zones.unknown',
  'ringTime',
  'timezone',
  'zone-overrides.yaml',
];
