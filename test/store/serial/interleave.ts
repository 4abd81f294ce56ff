import type { DatabaseStore } from '../../../src/store/sql/store.ts';
import { shareOf } from '../../helpers/properties.ts';
import { DECIDING } from './deciding.ts';

/** Two stores on one database, as it was at the beginning. */
export interface Arena {
  /** The first has `afterGathering` asked before each of its transactions. */
  begin: (afterGathering: (flush: () => void) => void) => {
    one: DatabaseStore;
    other: DatabaseStore;
  };
  /** All rows of the database, in an order of their own. */
  rows: () => unknown[];
}

type Order = 'one first' | 'other first' | 'in one transaction' | { before: number };

/** `npm test` plays one in 24 of the pairs, `.ci/run` another one for each commit, and `npm run evidence` all. */
const STEP = Number(process.env['SERIAL_STEP'] ?? 24);
const NAMES = Object.keys(DECIDING);

/** Pairs of methods: the first one on one store, the second one on the other. */
export const PAIRS = shareOf(
  NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const)),
  STEP,
);

/**
 * Plays two methods in each order: one after the other, and with the second before each transaction of the first, on a
 * store of its own or within that transaction.
 * @returns what is wrong: what none of both serial orders gives
 */
export async function wrongOrders(
  arena: Arena,
  [first, second]: readonly [string, string],
): Promise<string[]> {
  const serial = [
    await play(arena, first, second, 'one first'),
    await play(arena, first, second, 'other first'),
  ].map(({ outcome }) => outcome);
  const wrong: string[] = [];
  const judge = (how: string, outcome: string) => {
    if (!serial.includes(outcome))
      wrong.push(`${first}, ${second} ${how}: ${difference(outcome, serial)}`);
  };
  const { outcome } = await play(arena, first, second, 'in one transaction');
  judge('in one transaction', outcome);
  for (let before = 0; ; before++) {
    const between = await play(arena, first, second, { before });
    if (between.transactions <= before) return wrong;
    judge(`before transaction ${before + 1}`, between.outcome);
  }
}

async function play(
  { begin, rows }: Arena,
  first: string,
  second: string,
  order: Order,
): Promise<{ outcome: string; transactions: number }> {
  let transactions = 0;
  let others: Promise<string> | undefined;
  const stores = begin((flush) => {
    const isHere = typeof order === 'object' ? order.before === transactions : transactions === 0;
    transactions += 1;
    if (order === 'in one transaction' && isHere) others ??= answerOf(second, stores.one, 1);
    if (typeof order !== 'object' || !isHere) queueMicrotask(flush);
    else others ??= answerOf(second, stores.other, 1).finally(flush);
  });
  if (order === 'other first') others = answerOf(second, stores.other, 1);
  await others;
  const answer = await answerOf(first, stores.one, 0);
  others ??= answerOf(second, stores.other, 1);
  const answers = [answer, await others];
  return { outcome: told({ answers, rows: rows() }), transactions };
}

async function answerOf(method: string, store: DatabaseStore, who: 0 | 1): Promise<string> {
  try {
    return told(await DECIDING[method]?.(store, who));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return told({ code: code ?? message });
  }
}

const told = (value: unknown) => JSON.stringify(value ?? null);

/** The first place where an outcome is neither. */
function difference(outcome: string, serial: readonly string[]): string {
  return serial
    .map((one) => {
      let at = 0;
      while (outcome[at] === one[at]) at += 1;
      return `${outcome.slice(Math.max(0, at - 150), at + 80)} INSTEAD OF ${one.slice(at, at + 80)}`;
    })
    .join(' OR ');
}
