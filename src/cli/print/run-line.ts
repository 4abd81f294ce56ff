import { formatDuration } from '../../text/durations.ts';
import { formatPace } from '../../config/parse-pace.ts';
import type { RunBounds } from '../../app/run/run-events.ts';
import type { Campaign } from '../../store/port.ts';
import type { Io } from '../io.ts';
import { localTime } from '../../text/local-time.ts';

/**
 * The first line of a run, which tells one night from another: its id, the campaign, the date, how it calls.
 *
 * @param bounds of this run; null: it only collects
 */
export function runLine({ name, settings }: Campaign, bounds: RunBounds | null, io: Io): string {
  const { agent, concurrency, pace, requests, rules, longestCallMs, timezone, schedule } = settings;
  const id = io.messages === undefined ? '' : ` ${io.messages.id}`;
  const head = `Run${id} of "${name}", ${localTime(io.clock.now(), timezone)}`;
  if (bounds === null) return `${head}: only collecting.`;
  const { limit, until, waitUntil } = bounds;
  const parts = [
    `agent ${agent}`,
    `concurrency ${concurrency}`,
    `pace ${pace === null ? 'none' : formatPace(pace)}`,
    `requests ${requests}`,
    `rules ${rules.join(',')}`,
    `longestCall ${formatDuration(longestCallMs)}`,
  ];
  if (schedule !== undefined) parts.push(`schedule ${schedule}`);
  if (limit !== null) parts.push(`limit ${limit}`);
  if (until !== null) parts.push(`until ${localTime(until, timezone)}`);
  if (waitUntil !== null && waitUntil !== Infinity)
    parts.push(`waiting until ${localTime(waitUntil, timezone)}`);
  return `${head}: ${parts.join(', ')}.`;
}
