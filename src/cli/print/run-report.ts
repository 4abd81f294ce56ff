import type { RunReport } from '../../app/run/run-and-report.ts';
import type { RunBounds } from '../../app/run/run-events.ts';
import { formatPace } from '../../config/fields.ts';
import { summaryLines } from '../../results/figure-lines.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, HeldSlot } from '../../store/port.ts';
import { formatDuration, localTime, withIso } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import type { Io } from '../io.ts';
import { progressView } from '../../app/watch/campaign-views.ts';
import type { Outcome } from './outcome.ts';

/**
 * The first line of a run, so that runs in one log can be told apart: its id, the campaign, the date, and how it calls.
 *
 * @param bounds limits of this run; null: it only collects
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

/** Says that calls in doubt hold slots, until when, and what to do. @param doubts at least one */
export function heldInDoubt(doubts: readonly HeldSlot[], campaign: Campaign): string {
  const untils = doubts.map(({ holdsUntil }) => holdsUntil);
  const { concurrency, timezone } = campaign.settings;
  const first = localTime(Math.min(...untils), timezone);
  const last = localTime(Math.max(...untils), timezone);
  const slots = doubts.length === 1 ? 'a slot' : 'their slots';
  const until = first === last ? `until ${first}` : `the first until ${first}, the last ${last}`;
  const list = `\`callsheet resolve ${shellWord(campaign.name)}\``;
  if (doubts.length >= concurrency) {
    const hold = concurrency === 1 ? 'holds the only slot' : `hold all ${concurrency} slots`;
    return `Nobody is being called: ${counted(doubts.length, 'call')} in doubt ${hold}, ${until}; settle them: ${list}. A higher --concurrency goes on at once.`;
  }
  const hold = doubts.length === 1 ? 'holds' : 'hold';
  return `${counted(doubts.length, 'call')} in doubt ${hold} ${slots}, ${until}; ${list} shows what to do.`;
}

/** How a run ended: figures, path of the results, and the reason. @param report null: the operator left at once */
export function runOutcome(report: RunReport | null): Outcome {
  if (report === null) return { code: EXIT.interrupted };
  const { campaign, progress, results, exit, heldByDoubts: held } = report;
  const { timezone } = campaign.settings;
  const json = {
    campaign: campaign.name,
    state: campaign.state,
    ...progressView(progress, timezone),
    resultsFile: results.path,
    exitCode: exit.code,
    why: exit.why,
    ...withIso({ nextAt: exit.nextAt }, ['nextAt'], timezone),
  };
  const next = exit.nextAt === null ? '' : ` Next at ${localTime(exit.nextAt, timezone)}.`;
  const file = `Results: ${results.path ?? ''} (${counted(results.rows, 'row')})`;
  return {
    ...(results.path === null ? {} : { json }),
    end: [
      ...summaryLines(progress),
      ...(held.length === 0 ? [] : [heldInDoubt(held, campaign)]),
      ...(results.path === null ? [] : [file]),
      `${exit.why}${next}`,
    ],
    code: exit.code,
  };
}
