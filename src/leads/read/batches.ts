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

/** Splits items into batches of at most 1,000. */
export function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += 1_000) yield items.slice(at, at + 1_000);
}

/** The items of batches, one by one. */
export async function* inOrder<T>(pieces: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const piece of pieces) yield* piece;
}
