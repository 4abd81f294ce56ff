import { basename } from 'node:path';
import { followCalls } from '../../../app/watch/calls.ts';
import { MOST_PEOPLE } from '../../../app/watch/find-people.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { costText, durationText } from '../../../text/amounts.ts';
import { localOf } from '../../../text/times.ts';
import { calledPerson, type Call } from '../../../views/calls.ts';
import type { FoundPerson, Person } from '../../../views/people.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';
import { callLine, sentimentText, transcriptLines } from '../../print/calls.ts';
import type { Outcome } from '../../print/outcome.ts';
import { printJsonLines, printLines } from '../../terminal/output.ts';

/** Up to this many people are shown in full. */
const IN_FULL = 3;

/** The people that were found: a few in full, many as one line each. */
export function peopleOutcome(found: {
  people: FoundPerson[];
  isMore: boolean;
}): Outcome<FoundPerson[]> {
  const { people, isMore } = found;
  const waits = people.find(({ state }) => state === 'waiting');
  const why =
    waits === undefined
      ? []
      : [`Why ${waits.phone} is not called now: \`callsheet explain ${waits.phone}\`.`];
  if (people.length <= IN_FULL)
    return { json: people, lines: people.flatMap(personLines), hints: why };
  const rows = people.map(({ phone, name, result, state, attempts, campaign, listPath, line }) => [
    ...[phone, name, result ?? state, attempts, campaign],
    ...[listPath === null ? null : basename(listPath), line],
  ]);
  const more = isMore ? `These are the first ${MOST_PEOPLE}. ` : '';
  return {
    json: people,
    table: [['NUMBER', 'NAME', 'STATE', 'ATTEMPTS', 'CAMPAIGN', 'LIST', 'LINE'], rows],
    hints: [
      `${more}\`callsheet explain NUMBER --calls\` shows one of them with every attempt and transcript.`,
      ...why,
    ],
  };
}

/** A person in full: the row of the list, every attempt, its transcript. */
function personLines(person: Person, index: number): string[] {
  const { phone, campaign, simulated, timezone, listPath, line, cells, calls, history } = person;
  const at = (time: string) => `${localOf(time)} ${timezone}`;
  const own = history.filter(({ detail }) => detail?.['phone'] === phone);
  return [
    ...(index === 0 ? [] : ['']),
    `${phone}  campaign ${campaign}${simulated ? ' (rehearsal)' : ''}, ${basename(listPath ?? 'list')} line ${line}`,
    ...cells.flatMap(({ column, value }) => (value.trim() === '' ? [] : [`  ${column}: ${value}`])),
    ...zoneLines(person),
    ...stateLines(person),
    ...own.map((entry) => `  ${at(entry.at)} ${entry.text}`),
    ...calls.flatMap((call) => callLines(call, at)),
  ];
}

function zoneLines({ zones, regions }: Person): string[] {
  // Of leads whose place is not worked out yet, nothing is said.
  if (zones.length === 0) return regions.length === 0 ? [] : ['  their time zone is not known'];
  const all = zones.length > 1 ? ' (calls have to be allowed in each)' : '';
  return [`  their time zone: ${zones.join(', ')}${all}`];
}

function stateLines({ state, result, reason, attempts, calls, why, next }: Person): string[] {
  if (state === 'calling') return ['  is being called, or the call is being read'];
  if (state === 'done') return [`  ${result ?? 'done'}${reason === null ? '' : `: ${reason}`}`];
  const isNew = attempts === 0 && calls.length === 0;
  return [
    isNew ? '  waits; never called' : `  waits${reason === null ? '' : ` (${reason})`}`,
    ...why.slice(0, 1).map((clause) => `  not called now: ${clause}`),
    ...(next === null ? [] : [`  next: ${next.text}`]),
  ];
}

function callLines(call: Call, at: (time: string) => string): string[] {
  const { id, intentAt, state, result, callId, service, agent, durationSeconds, cost } = call;
  const { capturedLeads } = call;
  const facts: [string, string | null][] = [
    ['call', callId === null ? null : `${callId} at ${service}, agent ${agent}`],
    ['duration', durationSeconds === null ? null : durationText(durationSeconds * 1_000)],
    ['sentiment', sentimentText(call)],
    ['cost', cost === null ? null : costText(cost.amount, cost.currency)],
    ['summary', call.summary],
    ['recording', call.recordingUrl],
    ['captured', (capturedLeads ?? []).length === 0 ? null : JSON.stringify(capturedLeads)],
    ['detail', result === 'answered' ? null : call.detail],
  ];
  return [
    '',
    `  ${at(intentAt)}  ${result ?? state} (${id}, ${state})`,
    ...facts.flatMap(([what, text]) => (text === null ? [] : [`    ${what}: ${text}`])),
    ...transcriptLines(call, '    '),
  ];
}

/** The most calls shown at the beginning; for more there is `export`. */
const MOST_LINES = 10_000;

export const tail = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
  options: {
    lines: {
      alias: 'n',
      describe: 'how many of the newest calls to begin with',
      default: '10',
    },
    once: { type: 'switch', describe: 'only these, without waiting for more' },
    ...databaseOptions,
  },
  examples: [
    ['tail spring', 'the last ten calls, then every call as it comes to an end'],
    ['tail spring --json', 'an object a line, for the next program'],
  ],
  json: calledPerson,
  run: async ({ campaign, db, lines, once, json }, io) => {
    const newest = wholeNumber('--lines', lines, { min: 0, max: MOST_LINES });
    const stop = new AbortController();
    const stopListening = once ? undefined : io.onSignal(stop.abort.bind(stop));
    try {
      const request = { campaign, db, newest, once, stop: stop.signal };
      const isOver = await followCalls(
        request,
        (calls) => {
          if (json)
            printJsonLines(
              io,
              calls.map((call) => JSON.stringify(call)),
            );
          else printLines(io, calls.map(callLine));
        },
        io,
      );
      return { code: isOver ? EXIT.ok : EXIT.interrupted };
    } finally {
      stopListening?.();
    }
  },
});
