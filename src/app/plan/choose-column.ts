import type { ColumnChoice } from '../../leads/columns/column-choices.ts';
import { AmbiguousPhoneColumns } from '../../leads/columns/map-columns.ts';
import { shownLine } from '../../domain/safe-text.ts';
import type { World } from '../world.ts';

/**
 * Reads a list. If two columns of numbers are equally good, asks on a terminal which one is called first; the other
 * columns are tried after it. Off a terminal, or without an answer, throws the error that names the flag.
 */
export async function withChosenColumn<T>(
  world: World,
  choices: readonly ColumnChoice[],
  read: (choices: readonly ColumnChoice[]) => Promise<T>,
): Promise<T> {
  try {
    return await read(choices);
  } catch (error) {
    if (!(error instanceof AmbiguousPhoneColumns) || !world.attended) throw error;
    const { candidates, names } = error;
    const first = await askForColumn(world, error.message, names);
    if (!candidates.includes(first)) throw error;
    const order = [first, ...candidates.filter((index) => index !== first)];
    const chosen = order.map((index) => ({ target: 'phone', column: `#${index + 1}` }) as const);
    return read([...choices, ...chosen]);
  }
}

/** @returns the index of the column that was typed, by its number or a name that only one column has; else -1 */
async function askForColumn(world: World, problem: string, names: ReadonlyMap<number, string>) {
  const answer = await world.ask(`${shownLine(problem)}\nType the number of the column: `);
  const called = [...names].filter(([, name]) => name === answer);
  const [only] = called.length === 1 ? called : [];
  if (only !== undefined) return only[0];
  return answer !== undefined && /^#?\d{1,4}$/.test(answer)
    ? Number(answer.replace('#', '')) - 1
    : -1;
}
