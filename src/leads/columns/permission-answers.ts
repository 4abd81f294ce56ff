import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { isYesOrNo, readAnswer } from './answer-words.ts';
import { namesDoNotCall, statesDoNotCall } from './do-not-call-words.ts';
import { foldWords } from '../../text/fold-words.ts';
import { remembered } from '../../text/remembered.ts';

/** A column of a row that keeps the person from being called, and why. */
export interface CallAnswer {
  /** `no`: not to be called, at any number; `unclear`: the cell cannot be read, so the person is not called either. */
  says: 'no' | 'unclear';
  column: number;
}

/** The most characters of a status; a longer cell of a status column is a note or a list of tags. */
const LONGEST_STATE = 80;

/**
 * Returns a function that finds the column of a row that keeps the person from being called, if any. Only the columns
 * in `mapping` are read. A no in any column outranks an unclear cell in another one.
 */
export function callAnswers(
  mapping: ListMapping,
): (cells: readonly string[]) => CallAnswer | undefined {
  const { doNotCall, mayCall = [], callStates = [], unclear = [] } = mapping;
  // The cells of such a column repeat a few values. Without the cache the import of 200,000 rows with a status column
  // and a consent column takes 24 % more processor time (6.7 s instead of 5.4 s).
  const stateIsNo = remembered(saysNoByState);
  const says = remembered(readAnswer);

  return (cells) => {
    const at = (column: number) => cells[column] ?? '';
    for (const column of doNotCall) {
      if (isDoNotCall(says(at(column)))) return { says: 'no', column };
    }
    for (const column of callStates) if (stateIsNo(at(column))) return { says: 'no', column };
    for (const { column } of mayCall) {
      if (['no', 'refused'].includes(says(at(column))) || stateIsNo(at(column)))
        return { says: 'no', column };
    }
    for (const { column, emptyIsNo } of mayCall) {
      const answer = says(at(column));
      const isOpen = answer === 'nothing' ? emptyIsNo : ['other', 'cross'].includes(answer);
      if (isOpen) return { says: 'unclear', column };
    }
    const unread = callStates.find((column) => at(column).includes('\ufffd'));
    if (unread !== undefined) return { says: 'unclear', column: unread };
    const open = unclear.find((column) => mayAnswer(at(column)));
    return open === undefined ? undefined : { says: 'unclear', column: open };
  };
}

/** True for a cell of an unclear column that may say who must not be called: yes, no, or words such as `No calls`. */
export function mayAnswer(cell: string): boolean {
  return isYesOrNo(cell) || namesDoNotCall(foldWords(cell)) !== false;
}

/** In a do-not-call column any content, even a date, forbids calls, unless it says that the person may be called. */
function isDoNotCall(answer: ReturnType<typeof readAnswer>): boolean {
  return !['no', 'allowed', 'nothing'].includes(answer);
}

/** Reads the cell as one status; a long cell is split and read as a list of tags. */
function saysNoByState(cell: string): boolean {
  if (cell.length > LONGEST_STATE) return cell.split(/[,;|]/).some(isStateOfNo);
  return isStateOfNo(cell);
}

/** True for a status by which somebody must not be called, such as `DNC`. */
export function isStateOfNo(state: string): boolean {
  return state.length <= LONGEST_STATE && state.trim() !== '' && statesDoNotCall(foldWords(state));
}
