import { callColumns, type ColumnTarget } from '../../domain/lists/list-mapping.ts';
import { choiceFor } from '../../leads/columns/column-choices.ts';
import { chosenIn } from '../../leads/columns/remembered-mapping.ts';
import type { ImportReport } from '../../leads/import.ts';
import type { ScannedList } from '../../leads/rows/first-reading.ts';
import type { CellCounts, RowCounts } from '../../leads/rows/list-row.ts';
import { cut, frequentIn } from '../../leads/rows/column-questions.ts';
import { grouped } from '../../text/amounts.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';

/** The outcome of an import in sentences: counts, examples of rows not taken, and how to import them after mending. */
export function importLines(report: ImportReport, campaign: string, mapped: string[]): string[] {
  const { list, added, alreadyThere, rejectsPath } = report;
  const were = alreadyThere === 1 ? 'was' : 'were';
  const there = alreadyThere > 0 ? `, ${grouped(alreadyThere)} ${were} there already` : '';
  const lines = [
    `${list.path}: ${counted(report.rows, 'row')}, ${grouped(added)} added${there}${notTaken(report)}; numbers from column "${report.phoneColumn}".`,
    ...changeLines(report),
    ...exampleLines(report),
    ...placeLines(report),
  ];
  if (rejectsPath !== null) {
    const again = ['callsheet import', shellWord(campaign), shellWord(rejectsPath), ...mapped];
    lines.push(
      `Rows not taken are in ${rejectsPath}; mend them there, then:`,
      `  ${again.join(' ')}`,
    );
  }
  return lines;
}

/** How a list changes people who were in the campaign before it. */
function changeLines({ corrected, stopped }: ImportReport): string[] {
  const further = 'corrected: further calls use the place and cells of this list.';
  const noLonger = 'no longer called: this list does not say that they may be.';
  return [
    ...peopleLine(corrected, (who) => `${who} of earlier lists ${further}`),
    ...peopleLine(stopped, (who) => `${who} of earlier lists ${noLonger}`),
  ];
}

/** A line about some people; none where there are none. */
function peopleLine(people: number, text: (who: string) => string): string[] {
  return people === 0 ? [] : [`  ${text(counted(people, 'person', 'people'))}`];
}

/** How many rows a list has, and how many are taken, rejected or left out. */
export function surveyLine(survey: RowCounts & { path: string }): string {
  const { path, rows, good } = survey;
  return `${path}: ${counted(rows, 'row')}, ${grouped(good)} good${notTaken(survey)}.`;
}

/** Up to three examples of each reason, and notes on rows that were taken. */
export function exampleLines({ examples, byReason, notes }: RowCounts): string[] {
  const toMend = examples.filter(({ code }) => code !== 'already_in_campaign');
  const lines = toMend.map(({ line, text }) => `  line ${line}: ${text}`);
  const all = Object.values(byReason).reduce((sum, count) => sum + count, 0);
  const more = all - toMend.length - inCampaign({ byReason });
  if (more > 0) lines.push(`  and ${grouped(more)} more`);
  return [...lines, ...noteLines(notes)];
}

export function noteLines(notes: RowCounts['notes']): string[] {
  return Object.values(notes).map(
    ({ count, example }) =>
      `  ${counted(count, 'row')} taken as ${count === 1 ? 'it is' : 'they are'}: ${example}`,
  );
}

/** What is not certain of where the people are whose rows are taken. */
export function placeLines({ zonesDisagree, zonesUnknown }: RowCounts): string[] {
  const both =
    'list and number disagree about the time zone: calling hours have to allow a call in both.';
  const skipped =
    'no time zone is known: with calling hours they are skipped, unless --set zones.unknown=... says otherwise.';
  return [
    ...peopleLine(zonesDisagree, (who) => `For ${who}, ${both}`),
    ...peopleLine(zonesUnknown, (who) => `For ${who}, ${skipped}`),
  ];
}

export function notTaken({
  rejected,
  duplicates,
  suppressed,
  mended,
  byReason,
}: RowCounts): string {
  const parts = [];
  const known = inCampaign({ byReason });
  if (mended > 0) parts.push(`${grouped(mended)} mended`);
  if (rejected > 0) parts.push(`${grouped(rejected)} rejected`);
  if (duplicates > known) parts.push(counted(duplicates - known, 'duplicate'));
  if (known > 0) parts.push(`${grouped(known)} in the campaign already by another list`);
  if (suppressed > 0) parts.push(`${grouped(suppressed)} suppressed`);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

/**
 * Which column holds what, each with up to three of its values, and warnings about the list.
 *
 * @param cells what the columns hold; of those without a meaning, the most frequent values are shown
 */
export function columnLines(
  {
    path,
    headers,
    mapping,
    samples,
    warnings,
  }: Pick<ScannedList, 'path' | 'headers' | 'mapping' | 'samples' | 'warnings'>,
  cells?: CellCounts,
): string[] {
  const shown = (index: number) => {
    const values = (samples[index] ?? []).map((value) => `"${cut(value)}"`);
    const such = values.length === 0 ? '' : ` (${values.join(', ')})`;
    return `"${headers[index] ?? ''}"${such}`;
  };
  const [first = 0, ...others] = mapping.phones;
  const next =
    others.length === 0 ? '' : `, or where that has none, from ${others.map(shown).join(', ')}`;
  const lines = warnings.map((warning) => `${path}: ${warning}.`);
  lines.push(`${path}: numbers from ${shown(first)}${next}.`);
  const fields = Object.entries(mapping.fields).map(
    ([field, index]) => `${WORDS[field] ?? field} from ${shown(index)}`,
  );
  if (fields.length > 0) lines.push(`  ${fields.join('; ')}.`);
  const { doNotCall, mayCall = [], callStates = [], notTheirs = [], labels = [] } = mapping;
  const { outOfUse = [], lastDays = [] } = mapping;
  const say = (words: string, columns: readonly string[], more = '') => {
    if (columns.length > 0) lines.push(`  ${words} ${columns.join(', ')}${more}.`);
  };
  const shownOf = (columns: readonly { column: number }[]) =>
    columns.map(({ column }) => shown(column));
  say(
    'People with something in',
    doNotCall.map(shown),
    ' are not called, and are suppressed for good',
  );
  say(
    'Only people who may be called according to',
    shownOf(mayCall),
    ' are called; a no there suppresses the person for good',
  );
  say('These columns say whom this campaign does not call, or until when:', [
    ...shownOf(outOfUse),
    ...shownOf(lastDays),
  ]);
  say(
    "Never called, as their names say that they hold other people's or dead numbers:",
    notTheirs.map(shown),
  );
  say(
    'Looked through for words such as DNC:',
    callStates.map((index) => `"${headers[index] ?? ''}"`),
  );
  const used = new Set([
    ...mapping.phones,
    ...Object.values(mapping.fields),
    ...callColumns(mapping),
    ...notTheirs,
    ...labels.map(({ label }) => label),
  ]);
  const kept = headers.flatMap((header, index) =>
    used.has(index) ? [] : [cells === undefined ? header : withValues(header, cells, index)],
  );
  if (kept.length > 0) lines.push(`  kept as they are: ${someOf(kept, MOST_NAMES)}.`);
  return lines;
}

function withValues(header: string, cells: CellCounts, index: number): string {
  const values = frequentIn(cells, index);
  return values === '' ? header : `${header} [${values ?? 'many different values'}]`;
}

/** How many ignored columns are named. */
const MOST_NAMES = 12;

/** The flags that repeat this mapping; none if the header row alone leads to it and no column was chosen. */
export function mapFlags({ headerLine, headers, mapping }: ScannedList, chosen: boolean): string[] {
  if (headerLine !== 0 && !chosen) return [];
  const { phones, doNotCall, mayCall = [], ignored = [] } = mapping;
  const refusals = chosenIn(mapping).flatMap(({ target, column }) =>
    target === 'refusals' && column !== null ? [column] : [],
  );
  const may = mayCall.map(({ column }) => column);
  return Object.entries({
    phone: phones,
    doNotCall,
    mayCall: may,
    refusals,
    ignore: ignored,
  }).flatMap(([target, indexes]) =>
    indexes.map((index) => choiceFor(target as ColumnTarget, index, headers)),
  );
}

const WORDS: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  externalId: 'external id',
  timezone: 'time zone',
  postalCode: 'postal code',
  country: 'their country',
};

function inCampaign({ byReason }: Pick<RowCounts, 'byReason'>): number {
  return byReason.already_in_campaign ?? 0;
}
