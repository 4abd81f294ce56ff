import { basename } from 'node:path';
import { IN_FULL, MOST_PEOPLE, type Person } from '../../app/watch/find-people.ts';
import { jsonAnalytics } from '../../results/formats/jsonl.ts';
import { nameIn } from '../../results/person-name.ts';
import type { Io } from '../io.ts';
import { printJson, printLines, printTable, say } from '../terminal/output.ts';
import { historyJson, rowJson } from './json-times.ts';
import { personLines } from './person-lines.ts';

/** People that were looked up: a few with everything that is known, many in a line each. */
export function printPeople(
  { people, isMore }: { people: readonly Person[]; isMore: boolean },
  json: boolean,
  io: Io,
): void {
  if (json) printJson(io, people.map(viewOf));
  else if (people.length <= IN_FULL) printLines(io, people.flatMap(personLines));
  else listPeople(people, isMore, io);
}

function viewOf({ found, campaign, list, attempts, history }: Person) {
  const { cells, ...lead } = found;
  return {
    ...lead,
    simulated: campaign.simulated,
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

function listPeople(people: readonly Person[], isMore: boolean, io: Io): void {
  printTable(
    io,
    ['NUMBER', 'NAME', 'STATE', 'ATTEMPTS', 'CAMPAIGN', 'LIST', 'LINE'],
    people.map(({ found, list }) => [
      found.phone,
      nameIn(list, found.cells),
      found.result ?? found.state,
      found.attempts,
      found.campaign,
      list === undefined ? null : basename(list.path),
      found.line,
    ]),
  );
  const more = isMore ? `These are the first ${MOST_PEOPLE}. ` : '';
  say(io, `${more}\`callsheet show NUMBER\` shows one of them with every attempt and transcript.`);
}
