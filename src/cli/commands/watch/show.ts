import { basename } from 'node:path';

import { historyLine } from '../../../app/sentences/story-events.ts';
import { findPeople, IN_FULL, MOST_PEOPLE, type Person } from '../../../app/watch/find-people.ts';
import { placeOf } from '../../../domain/calling/zone-key.ts';
import { jsonAnalytics } from '../../../results/format.ts';
import { nameIn, resultOf } from '../../../results/columns.ts';
import type { ExportRow } from '../../../store/port.ts';
import { costText, durationText } from '../../../text/amounts.ts';
import { localTime } from '../../../text/times.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { sentimentText, transcriptLines } from '../../print/calls.ts';
import { historyJson, rowJson } from '../../print/json-times.ts';
import type { Outcome } from '../../print/outcome.ts';

export const show = defineCommand({
  arguments: {
    who: {
      describe:
        'phone number, line of the list, call id, external id, or any text in a cell of the list',
      required: true,
    },
  },
  options: {
    campaign: { type: 'text', describe: 'only this campaign' },
    ...databaseOptions,
  },
  examples: [
    ['show +12125550123', 'every attempt and transcript of this number, in all campaigns'],
    ['show 17 --campaign spring', 'the person of line 17 of the list'],
    ["show 'ann mill'", 'everybody with such a name, or company, or email'],
  ],
  run: async (args, io) => peopleOutcome(await findPeople({ ...args, inFull: args.json }, io)),
});

/** The people that were found: a few in full, many as one line each. */
function peopleOutcome({ people, isMore }: Awaited<ReturnType<typeof findPeople>>): Outcome {
  const json = people.map(viewOf);
  const waits = people.find(({ found }) => found.state === 'waiting');
  const why =
    waits === undefined
      ? []
      : [`Why ${waits.found.phone} is not called now: \`callsheet explain ${waits.found.phone}\`.`];
  if (people.length <= IN_FULL) return { json, lines: people.flatMap(personLines), hints: why };
  const rows = people.map(({ found, list }) => [
    found.phone,
    nameIn(list, found.cells),
    found.result ?? found.state,
    found.attempts,
    found.campaign,
    list === undefined ? null : basename(list.path),
    found.line,
  ]);
  const more = isMore ? `These are the first ${MOST_PEOPLE}. ` : '';
  return {
    json,
    table: [['NUMBER', 'NAME', 'STATE', 'ATTEMPTS', 'CAMPAIGN', 'LIST', 'LINE'], rows],
    hints: [
      `${more}\`callsheet show NUMBER\` shows one of them with every attempt and transcript.`,
      ...why,
    ],
  };
}

function viewOf({ found, campaign, list, attempts, history, heldBack }: Person) {
  const { cells, zoneKey, ...lead } = found;
  return {
    ...lead,
    timezones: placeOf(zoneKey).zones,
    simulated: campaign.simulated,
    heldBack,
    list: list?.path ?? null,
    cells: cells.map((value, i) => ({ column: list?.headers[i] ?? '', value })),
    attempts: attempts.map((row) => ({
      ...rowJson(row, campaign.settings.timezone).attempt,
      analytics: jsonAnalytics(row.analytics),
      capturedLeads: row.capturedLeads,
    })),
    history: history.map((entry) => historyJson(entry, campaign.settings.timezone)),
  };
}

/** A person in full: the row of the list, every attempt, its transcript. */
function personLines(
  { found, campaign, list, attempts, history, heldBack }: Person,
  index: number,
): string[] {
  const rehearsal = campaign.simulated ? ' (rehearsal)' : '';
  const { timezone } = campaign.settings;
  const last = attempts.at(-1);
  const cells = found.cells.flatMap((cell, i) =>
    cell.trim() === '' ? [] : [`  ${list?.headers[i] ?? ''}: ${cell}`],
  );
  return [
    ...(index === 0 ? [] : ['']),
    `${found.phone}  campaign ${found.campaign}${rehearsal}, ${basename(list?.path ?? 'list')} line ${found.line}`,
    ...cells,
    ...zoneLines(found),
    `  ${stateOf(found, last, timezone)}`,
    ...(heldBack === null ? [] : [`  nobody of the campaign is called: ${heldBack}`]),
    ...history.map((entry) => `  ${historyLine(entry, timezone)}`),
    ...attempts.flatMap((row) => attemptLines(row, timezone)),
  ];
}

/** Nothing is said of leads whose place is not worked out yet. */
function zoneLines({ zoneKey }: Person['found']): string[] {
  const { zones } = placeOf(zoneKey);
  if (zoneKey === '') return [];
  if (zones.length === 0) return ['  their time zone is not known'];
  const all = zones.length > 1 ? ' (calls have to be allowed in each)' : '';
  return [`  their time zone: ${zones.join(', ')}${all}`];
}

function stateOf(found: Person['found'], last: ExportRow | undefined, timezone: string): string {
  if (found.state === 'done') {
    const reason = found.reason === null ? '' : `: ${found.reason}`;
    return `${found.result ?? 'done'}${reason}`;
  }
  if (found.state === 'calling') return 'is being called, or the call is being read';
  const notBefore = last?.notBefore ?? 0;
  const when = notBefore > 0 ? `, by its retry not before ${localTime(notBefore, timezone)}` : '';
  const reason = found.reason === null ? '' : ` (${found.reason})`;
  return found.attempts === 0 && last === undefined
    ? 'waits; never called'
    : `waits${when}${reason}`;
}

function attemptLines(
  { attempt, analytics, capturedLeads }: ExportRow,
  timezone: string,
): string[] {
  if (attempt === null) return [];
  const { id, intentAt, state, callId, service, agent, detail } = attempt;
  const result = resultOf(attempt);
  const facts: [string, string | null][] = [
    ['call', callId === null ? null : `${callId} at ${service}, agent ${agent}`],
    ['duration', analytics?.durationMs == null ? null : durationText(analytics.durationMs)],
    ['sentiment', sentimentText(analytics)],
    [
      'cost',
      analytics?.cost == null ? null : costText(analytics.cost, analytics.costCurrency ?? ''),
    ],
    ['summary', analytics?.summary ?? null],
    ['recording', analytics?.recordingUrl ?? null],
    ['captured', capturedLeads.length === 0 ? null : JSON.stringify(capturedLeads)],
    ['detail', result === 'answered' ? null : detail],
  ];
  return [
    '',
    `  ${localTime(intentAt, timezone)}  ${result ?? state} (${id}, ${state})`,
    ...facts.flatMap(([what, text]) => (text === null ? [] : [`    ${what}: ${text}`])),
    ...transcriptLines(analytics, '    '),
  ];
}
