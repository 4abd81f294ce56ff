import { setImmediate } from 'node:timers/promises';
import { rowSize, type CsvRow } from './row.ts';

/** Regroups arrays of any length into batches of `size()` items; `size` is called for each item. The order is kept. */
export async function* inBatches<T>(
  pieces: AsyncIterable<T[]>,
  size: () => number,
): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const piece of pieces) {
    for (const item of piece) {
      if (chunk.push(item) < size()) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Read and judged in some 10 ms; of hostile cells, a thousand characters take up to 3 ms. */
const AT_ONE_TURN = { rows: 250, characters: 20_000 };

/** Rows in short batches, with a turn of the event loop after each, so that calls beside a list are not kept waiting. */
export async function* inTurns(
  pieces: AsyncIterable<CsvRow[]> | Iterable<CsvRow[]>,
): AsyncGenerator<CsvRow[]> {
  let size = 0;
  const isFull = (row: CsvRow, count: number) =>
    (size += rowSize(row)) >= AT_ONE_TURN.characters || count >= AT_ONE_TURN.rows;
  for await (const piece of pieces) {
    let from = 0;
    for (const [at, row] of piece.entries()) {
      if (!isFull(row, at + 1 - from) && at + 1 < piece.length) continue;
      yield piece.slice(from, at + 1);
      [from, size] = [at + 1, 0];
      await setImmediate();
    }
  }
}

/** Splits items into batches of at most 1,000. */
export function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += 1_000) yield items.slice(at, at + 1_000);
}

/** The items of batches, one by one. */
export async function* inOrder<T>(pieces: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const piece of pieces) yield* piece;
}
