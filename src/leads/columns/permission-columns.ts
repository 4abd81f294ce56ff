import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { usageError } from '../../runtime/errors.ts';
import {
  isAnotherConsent,
  isConsent,
  isOutOfUse,
  isYesOrNo,
  namesConsent,
  saysNothing,
  saysYes,
  withoutNumberSign,
} from './words/permission-words.ts';
import { dayGiven, mayAnswer, saysWhich } from './permission-answers.ts';
import {
  asksLeave,
  concernsCalls,
  isAboutCalls,
  isAboutOtherWays,
  isAboutPhone,
  isAboutTouch,
  isActive,
  isBareCalls,
  isBareConsent,
  isExpiry,
  isNotMeant,
  isOfOtherWays,
  isState,
  namesDoNotCall,
  tellsWhatHappened,
} from './words/do-not-call-words.ts';
import { choiceFor, type Table } from './column-choices.ts';
import { dateIn, lastDayIn, readRefusal } from './words/read-refusal.ts';
import { foldWords } from '../../text/fold-words.ts';

/** What a column says about calls, by its header alone. */
export type CallKind =
  /** A filled cell says that the person must not be called. */
  | 'doNotCall'
  /** As `doNotCall` if the cells say yes and no; else ignored, as `No calls` may be short for the number of calls. */
  | 'perhaps'
  /** The cells say whether the person may be called. */
  | 'mayCall'
  /** A status column; some of its values forbid calls: `DNC`, `Unsubscribed`. */
  | 'state'
  /** As `ListMapping.outOfUse`: yes, or no, says that the person is not called in this campaign. */
  | 'outOfUse'
  | 'active'
  /** As `ListMapping.lastDays`. */
  | 'refusedUntil'
  | 'consentUntil'
  /** One of the first three kinds; the header does not show which. */
  | 'unclear'
  /** As `unclear` if the cells say yes and no; else about something else, such as a column of numbers (`Phone`). */
  | 'bare';

type CallColumns = Required<
  Pick<ListMapping, 'doNotCall' | 'mayCall' | 'callStates' | 'outOfUse' | 'lastDays' | 'unclear'>
>;

/** The least share of the filled cells that say yes or no in a yes/no column. */
const MOST = 0.8;

/** Matches a date, a time or a count, which does not answer a yes/no question. */
const A_VALUE = /^[\d\s.,:/+()-]+(?:am|pm|h|uhr|utc|z)?$/i;

/** Columns that the operator chose with --map, as indexes: undefined where none was chosen, empty for `-`. */
interface Chosen {
  doNotCall: readonly number[] | undefined;
  mayCall: readonly number[] | undefined;
  refusals: readonly number[] | undefined;
  /** Columns that are already used for something else, or are ignored. */
  settled: readonly number[];
}

/**
 * The columns that say who may not be called: the chosen ones and the ones found by their headers. A choice adds to the
 * found columns, so that naming one column does not disable another one; `-` removes all found columns.
 * @throws AppError `LIST_COLUMN_UNCLEAR` where a column was chosen for the opposite of what its name says
 */
export function chosenCalls(
  table: Table,
  { doNotCall, mayCall, refusals = [], settled }: Chosen,
): CallColumns {
  refuseContrary(table, doNotCall, 'mayCall');
  refuseContrary(table, mayCall, 'doNotCall');
  const known = new Set([...settled, ...(doNotCall ?? []), ...(mayCall ?? []), ...refusals]);
  const found = callColumns(table, known);
  const isNone = (chosen: readonly number[] | undefined) => chosen?.length === 0;
  return {
    doNotCall: [
      ...new Set([...(doNotCall ?? []), ...(isNone(doNotCall) ? [] : found.doNotCall)]),
    ].sort((a, b) => a - b),
    mayCall: [
      // A column chosen as `mayCall` marks the people who may be called, so an empty cell means no.
      ...(mayCall ?? []).map((column) => ({ column, emptyIsNo: true })),
      ...(isNone(mayCall) ? [] : found.mayCall),
    ],
    callStates: [...refusals, ...(isNone(doNotCall) ? [] : found.callStates)],
    outOfUse: isNone(doNotCall) ? [] : found.outOfUse,
    lastDays: found.lastDays.filter(({ of }) => !isNone(of === 'refusal' ? doNotCall : mayCall)),
    unclear: isNone(doNotCall) && isNone(mayCall) ? [] : found.unclear,
  };
}

/** @param says the kind that none of these columns may have by its name: `mayCall` for columns chosen as `doNotCall` */
function refuseContrary(
  { path, headers }: Table,
  columns: readonly number[] = [],
  says: 'doNotCall' | 'mayCall',
): void {
  const index = columns.find((column) => callKind(headers[column] ?? '') === says);
  if (index === undefined) return;
  const what = says === 'mayCall' ? 'who may be called' : 'who must not be called';
  throw usageError(
    'LIST_COLUMN_UNCLEAR',
    `${path}: the name of "${headers[index] ?? ''}" says ${what}, and the flag says the contrary.`,
    `give ${choiceFor(says, index, headers)}, or rename the column`,
  );
}

/**
 * Finds the columns that say who may not be called, by the words of their headers. A column about an opt-out of e-mail,
 * texts or post is not one of them. A column with yes and no that may decide who is called is `unclear`.
 * @param settled indexes of columns that are already used for something else
 */
function callColumns({ headers, rows }: Table, settled: ReadonlySet<number>): CallColumns {
  const found: CallColumns = {
    doNotCall: [],
    mayCall: [],
    callStates: [],
    outOfUse: [],
    lastDays: [],
    unclear: [],
  };
  const given: { column: number; kind: CallKind | undefined }[] = [];
  for (const [column, header] of headers.entries()) {
    if (settled.has(column)) continue;
    const kind = callKind(header);
    const mayBeGiven = isOfConsent(header, kind);
    if (kind === undefined && !mayBeGiven) continue;
    const cells = rows
      .map((row) => (row[column] ?? '').trim())
      .filter((cell) => !saysNothing(cell));
    const isMost = (some: readonly string[]) =>
      some.length > 0 && some.length >= cells.length * MOST;
    const days = mayBeGiven ? cells.filter((cell) => dayGiven(cell) !== null) : [];
    if (kind === undefined || isMost(days)) {
      if (isMost(days)) given.push({ column, kind });
      continue;
    }
    const isEmpty = cells.length === 0;
    const isAnswer = (cell: string) => isYesOrNo(cell) || lastDayIn(cell) !== null;
    const answers = cells.filter((cell) => mayAnswer(cell) || isAnswer(cell));
    const isAnswered = isMost(answers);
    const isDigits = answers.every((cell) => /^[01]$/.test(cell));
    const isOfDays = isEmpty || isMost(cells.filter((cell) => dateIn(cell) !== null));
    const isOfValues = cells.every((cell) => A_VALUE.test(cell));
    const emptyIsNo =
      days.length > 0 || answers.some((cell) => saysYes(cell) || lastDayIn(cell) !== null);
    if (kind === 'doNotCall') found.doNotCall.push(column);
    else if (kind === 'state') {
      found.callStates.push(column);
      const isOpen = cells.some((cell) => readRefusal(cell, '')?.kind === 'unclear');
      if (isOpen || (isAnswered && concernsCalls(foldWords(header)))) found.unclear.push(column);
    } else if (kind === 'refusedUntil' || kind === 'consentUntil') {
      const of = kind === 'refusedUntil' ? 'refusal' : 'consent';
      if (isOfDays) found.lastDays.push({ column, of });
      else if (of === 'refusal' || isAnswered) found.unclear.push(column);
    } else if (kind === 'outOfUse' || kind === 'active') {
      const when = kind === 'active' ? 'no' : 'yes';
      if (isAnswered || isOfDays) found.outOfUse.push({ column, when });
      else found.callStates.push(column);
    } else if (kind === 'mayCall') {
      const isMay = isEmpty || cells.some(isAnswer);
      // Where no cell says anything, nobody has agreed.
      if (isMay || !isOfValues)
        found.mayCall.push({ column, emptyIsNo: isEmpty || (isMay && emptyIsNo) });
      if (!isMay) found.unclear.push(column);
    } else if (kind === 'unclear') {
      if (isAnswered && saysWhich(answers)) found.mayCall.push({ column, emptyIsNo });
      // A later row may say yes or no, except among counts, where 0 and 1 are no answers.
      else if (isEmpty || isAnswered || !isOfValues) found.unclear.push(column);
    } else if (kind === 'perhaps') {
      if (isAnswered && !isDigits) found.doNotCall.push(column);
      else if (isEmpty || isAnswered) found.unclear.push(column);
    } else if (isAnswered && !(isDigits && isCount(header))) found.unclear.push(column);
  }
  // Beside a column that says yes and no, a day that is missing says nothing.
  const isAlone = found.mayCall.length === 0;
  for (const { column, kind } of given)
    found.mayCall.push({ column, emptyIsNo: isAlone && kind === 'mayCall' });
  return found;
}

/** True for a header whose cells may be days of a consent to calls: `Opt-in date`, `Phone consent`. */
function isOfConsent(header: string, kind: CallKind | undefined): boolean {
  const folded = foldWords(header);
  if (![undefined, 'mayCall', 'unclear', 'bare'].includes(kind) || isNotMeant(folded)) return false;
  if (isOfOtherWays(folded) && !isAboutPhone(folded)) return false;
  const isNamed = kind === 'mayCall' || isConsent(folded) || isBareConsent(folded);
  return isNamed && !isAnotherConsent(folded) && namesDoNotCall(folded) === false;
}

/** What a header says about calls; undefined where it says nothing about them. */
export function callKind(header: string): CallKind | undefined {
  const folded = foldWords(header);
  if (folded === '' || isNotMeant(folded)) return undefined;
  const no = namesDoNotCall(folded);
  const yes = namesConsent(folded);
  if (isOfOtherWays(folded)) {
    return (no !== false || yes !== false) && isAboutPhone(folded) ? 'unclear' : undefined;
  }
  if (isExpiry(folded)) {
    if (no === true) return 'refusedUntil';
    if (yes === true || (isConsent(folded) && !isAboutOtherWays(folded))) return 'consentUntil';
  }
  if (no === true) return 'doNotCall';
  if (no === 'turned') return 'unclear';
  if (no === 'perhaps') return 'perhaps';
  if (yes !== false) return yes === true ? 'mayCall' : 'unclear';
  if (isBareCalls(folded)) return 'bare';
  if (isBareConsent(folded)) return 'unclear';
  const isOfCalls = isAboutCalls(folded) || isAboutPhone(folded) || isAboutTouch(folded);
  if (isOfCalls && asksLeave(withoutNumberSign(folded)) && !tellsWhatHappened(folded)) {
    return 'unclear';
  }
  if (isState(folded)) return 'state';
  if (isActive(folded)) return 'active';
  if (isOutOfUse(folded)) return 'outOfUse';
  return (isOfCalls || concernsCalls(folded)) && !tellsWhatHappened(folded) ? 'bare' : undefined;
}

/** True for a header such as `Nº de llamadas`, below which 0 and 1 are counts. */
function isCount(header: string): boolean {
  const folded = foldWords(header);
  return !isBareCalls(folded) && !concernsCalls(folded);
}
