import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { callColumns, callKind } from './call-columns.ts';
import { choiceFor } from './column-choices.ts';

/** The operator's word on columns of calls, as indexes: undefined where there is none, empty where it was `-`. */
interface Chosen {
  doNotCall: readonly number[] | undefined;
  mayCall: readonly number[] | undefined;
  /** Columns of which something else is known, or that say nothing. */
  settled: readonly number[];
}

/**
 * The columns that say who may not be called: those that were chosen, and those that are found beside them. A
 * choice adds to what is found, so that naming one column does not open another one; `-` takes all found ones away.
 *
 * @throws AppError `LIST_COLUMN_UNCLEAR`, also where a column was chosen for the contrary of what its name says
 */
export function chosenCalls(
  path: string,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { doNotCall, mayCall, settled }: Chosen,
): Pick<ListMapping, 'doNotCall' | 'mayCall' | 'callStates' | 'unclear'> {
  for (const index of doNotCall ?? []) {
    if (callKind(headers[index] ?? '') === 'mayCall')
      throw contrary(path, headers, index, 'mayCall');
  }
  for (const index of mayCall ?? []) {
    if (callKind(headers[index] ?? '') === 'doNotCall')
      throw contrary(path, headers, index, 'doNotCall');
  }
  const known = new Set([...settled, ...(doNotCall ?? []), ...(mayCall ?? [])]);
  const found = callColumns(path, headers, rows, known);
  const isNone = (chosen: readonly number[] | undefined) => chosen?.length === 0;
  return {
    doNotCall: inOrder([...(doNotCall ?? []), ...(isNone(doNotCall) ? [] : found.doNotCall)]),
    mayCall: [
      // Whoever chose it for this marks in it who may be called.
      ...(mayCall ?? []).map((column) => ({ column, emptyIsNo: true })),
      ...(isNone(mayCall) ? [] : found.mayCall),
    ],
    callStates: isNone(doNotCall) ? [] : found.callStates,
    unclear: isNone(doNotCall) && isNone(mayCall) ? [] : found.unclear,
  };
}

function inOrder(indexes: readonly number[]): number[] {
  return [...new Set(indexes)].sort((a, b) => a - b);
}

/** @param says what the name of the column says, and the flag is to say */
function contrary(
  path: string,
  headers: readonly string[],
  index: number,
  says: 'doNotCall' | 'mayCall',
): AppError {
  const what = says === 'mayCall' ? 'who may be called' : 'who must not be called';
  return new AppError(
    'LIST_COLUMN_UNCLEAR',
    `${path}: the name of "${headers[index] ?? ''}" says ${what}, and the flag says the contrary.`,
    {
      hint: `give ${choiceFor(says, index, headers)}, or rename the column`,
      exitCode: EXIT.usage,
    },
  );
}
