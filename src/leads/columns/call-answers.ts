import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { isYesOrNo, readAnswer } from './answer-words.ts';
import { statesDoNotCall } from './do-not-call-words.ts';
import { foldWords } from './header-words.ts';

/** What the columns of a row say of calls, where it is not that the person may be called. */
export interface CallAnswer {
  /** `no`: not to be called, at any number; `unclear`: nobody can tell, so not called either. */
  says: 'no' | 'unclear';
  column: number;
}

/** A longer cell of a column of states is a note, and no state. */
const LONGEST_STATE = 80;

/**
 * Cells whose answer is kept, as a column repeats a few. Without it the import of 200,000 rows with a column of
 * states and one of consents takes 24 % more processor time (6.7 s instead of 5.4 s).
 */
const MOST_REMEMBERED = 1_000;

/**
 * Reads the cells that decide whether a person may be called, of a list mapped so; only the columns that were
 * recognised are looked at. A no of any column outranks all others.
 */
export function callAnswers(
  mapping: ListMapping,
): (cells: readonly string[]) => CallAnswer | undefined {
  const { doNotCall, mayCall = [], callStates = [], unclear = [] } = mapping;
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
    const open = unclear.find((column) => isYesOrNo(at(column)));
    return open === undefined ? undefined : { says: 'unclear', column: open };
  };
}

/** Anything that is filled in is a no, also a date or a name, unless it says that the person may be called. */
function isDoNotCall(answer: ReturnType<typeof readAnswer>): boolean {
  return !['no', 'allowed', 'nothing'].includes(answer);
}

/** The cell as a whole, or one of several tags in it. */
function saysNoByState(cell: string): boolean {
  if (cell.length > LONGEST_STATE) return cell.split(/[,;|]/).some(isStateOfNo);
  return isStateOfNo(cell);
}

/** True for a word of a column of states that keeps somebody from being called, such as `DNC`. */
export function isStateOfNo(state: string): boolean {
  return state.length <= LONGEST_STATE && state.trim() !== '' && statesDoNotCall(foldWords(state));
}

function remembered<T>(read: (cell: string) => T): (cell: string) => T {
  const known = new Map<string, T>();
  return (cell) => {
    const before = known.get(cell);
    if (before !== undefined) return before;
    const answer = read(cell);
    if (known.size < MOST_REMEMBERED) known.set(cell, answer);
    return answer;
  };
}
