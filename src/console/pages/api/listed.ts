import { useRef } from 'preact/hooks';
import { useAction, type Action } from './action.ts';
import { useLoaded, type Loaded } from './loaded.ts';

interface Page {
  items: readonly unknown[];
  next: string | null;
}

/** A list that is read page by page; its `value` is one page with all items that were read. */
export interface Listed<P extends Page> extends Loaded<P> {
  /** Reads the next page; only where `value.next` is not null. */
  more: Action<[]>;
}

/**
 * Reads a list by its cursor. When it is read again, as many pages are as were shown, so that nobody loses their place.
 *
 * @param read one page; `after` is the `next` of the page before, null for the first
 * @param inputs compared by their text; other ones begin with the first page
 */
export function useListed<P extends Page>(
  read: (after: string | null, signal?: AbortSignal) => Promise<P>,
  inputs: readonly unknown[],
): Listed<P> {
  const key = JSON.stringify(inputs);
  const shown = useRef({ key, pages: 1 });
  if (shown.current.key !== key) shown.current = { key, pages: 1 };
  const loaded = useLoaded(async (signal) => {
    const asked = shown.current;
    let all = await read(null, signal);
    // Meanwhile `more` may have read another one.
    for (let n = 1; n < asked.pages && all.next !== null; n += 1)
      all = joined(all, await read(all.next, signal));
    return all;
  }, inputs);
  const more = useAction(async () => {
    const before = loaded.value;
    if (before === undefined || before.next === null) return;
    const page = await read(before.next);
    // Other filters were chosen meanwhile.
    if (shown.current.key !== key) return;
    shown.current.pages += 1;
    loaded.set(joined(before, page));
  });
  return { ...loaded, more };
}

function joined<P extends Page>(before: P, page: P): P {
  return { ...page, items: [...before.items, ...page.items] };
}
