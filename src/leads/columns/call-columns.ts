import { AppError, EXIT } from '../../runtime/errors.ts';
import { isYesOrNo, readAnswer } from './answer-words.ts';
import {
  asksLeave,
  isAboutCalls,
  isAboutOtherWays,
  isAboutPhone,
  isAboutTouch,
  isBareCalls,
  isBareConsent,
  isState,
  tellsWhatHappened,
} from './call-words.ts';
import { choiceFor } from './column-choices.ts';
import { namesConsent, withoutNumberSign } from './consent-words.ts';
import { namesDoNotCall } from './do-not-call-words.ts';
import { foldWords } from '../../text/normalize.ts';

type Rows = readonly (readonly string[])[];

/** What a column says of calls, by its header alone. */
export type CallKind =
  /** Filled in, it says that the person is not to be called. */
  | 'doNotCall'
  /** The same, if its cells are yes and no: `No calls` may also be their number. */
  | 'perhaps'
  /** It says whether the person may be called. */
  | 'mayCall'
  /** One of its words may say so: `DNC`, `Unsubscribed`. */
  | 'state'
  /** It may be one of the first three, and nobody can tell which. */
  | 'unclear'
  /** The same where it holds yes and no; else it is a column of numbers (`Phone`). */
  | 'bare';

/** The columns of a list that say who may not be called. */
export interface CallColumns {
  doNotCall: number[];
  mayCall: { column: number; emptyIsNo: boolean }[];
  callStates: number[];
  /** Nothing stands in them in the first rows, so that nobody had to be asked what they mean. */
  unclear: number[];
}

/** Of the cells that are filled in, so many are yes or no in a column of yes and no. */
const MOST = 0.8;

/** A date, a time or a number above one: what it answers is not whether. */
const A_VALUE = /^[\d\s.,:/+()-]+(?:am|pm|h|uhr|utc|z)?$/i;

/**
 * Finds the columns that say who may not be called, by the words of their headers, in the languages in which the
 * columns of numbers are found. An opt-out of e-mail, texts or post is none of them.
 *
 * @param path the list, for messages
 * @param rows its first rows
 * @param settled columns of which something else is known, by index
 * @throws AppError `LIST_COLUMN_UNCLEAR` where one holds yes and no, and may decide who is called
 */
export function callColumns(
  path: string,
  headers: readonly string[],
  rows: Rows,
  settled: ReadonlySet<number>,
): CallColumns {
  const found: CallColumns = { doNotCall: [], mayCall: [], callStates: [], unclear: [] };
  for (const [index, header] of headers.entries()) {
    const kind = settled.has(index) ? undefined : callKind(header);
    if (kind === undefined) continue;
    const cells = rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
    const answers = cells.filter(isYesOrNo);
    const isAnswered = answers.length > 0 && answers.length >= cells.length * MOST;
    const isDigits = answers.every((cell) => /^[01]$/.test(cell));
    if (kind === 'doNotCall') found.doNotCall.push(index);
    else if (kind === 'state') found.callStates.push(index);
    else if (kind === 'mayCall' && (answers.length > 0 || cells.length === 0)) {
      found.mayCall.push({ column: index, emptyIsNo: saysYes(answers) });
    } else if (cells.length === 0) {
      if (kind !== 'bare') found.unclear.push(index);
    } else if (kind === 'perhaps' && isAnswered && !isDigits) found.doNotCall.push(index);
    else if (isAnswered || (kind === 'mayCall' && !cells.every((cell) => A_VALUE.test(cell)))) {
      throw unclear(path, headers, index);
    }
  }
  return found;
}

/** What a header says of calls; undefined: nothing. */
export function callKind(header: string): CallKind | undefined {
  const folded = foldWords(header);
  if (folded === '') return undefined;
  const no = namesDoNotCall(folded);
  const yes = namesConsent(folded);
  if (isAboutOtherWays(folded) && !isAboutCalls(folded)) {
    return (no !== false || yes !== false) && isAboutPhone(folded) ? 'unclear' : undefined;
  }
  if (no === true) return 'doNotCall';
  if (no === 'perhaps') return 'perhaps';
  if (yes !== false) return yes === true ? 'mayCall' : 'unclear';
  if (isBareCalls(folded)) return 'bare';
  if (isBareConsent(folded)) return 'unclear';
  const isOfCalls = isAboutCalls(folded) || isAboutPhone(folded) || isAboutTouch(folded);
  if (isOfCalls && asksLeave(withoutNumberSign(folded)) && !tellsWhatHappened(folded)) {
    return 'unclear';
  }
  return isState(folded) ? 'state' : undefined;
}

/** Where a list marks those who may be called, an empty cell is no mark; where it marks the others, it is none either. */
function saysYes(answers: readonly string[]): boolean {
  return answers.some((cell) => ['yes', 'allowed', 'agreed'].includes(readAnswer(cell)));
}

function unclear(path: string, headers: readonly string[], index: number): AppError {
  const flag = (target: 'doNotCall' | 'mayCall' | 'ignore') => choiceFor(target, index, headers);
  const name = `"${(headers[index] ?? '').trim()}" (column ${index + 1})`;
  return new AppError(
    'LIST_COLUMN_UNCLEAR',
    `${path}: ${name} may say who must not be called, and it is for you to say what its cells mean.`,
    {
      hint: `give ${flag('doNotCall')} if yes means: do not call, ${flag('mayCall')} if yes means: may be called, or ${flag('ignore')} if it is about something else`,
      exitCode: EXIT.usage,
    },
  );
}
