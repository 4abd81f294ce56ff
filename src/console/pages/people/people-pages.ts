import type { People } from '../../contract/people.ts';
import { PAGE_ROWS, pagesOf } from './scroll-map.ts';

export type PersonRow = People['items'][number];

/** Names a page: so many people come before it, or it follows a cursor. */
export type PageAsked = { at: number } | { after: string } | Record<string, never>;

/** What is known of the people who match, at one moment. */
export interface PeopleNow {
  /** How many rows there are as far as is known; undefined: nothing has been read yet. */
  count: number | undefined;
  /** How many match; null: not known. */
  total: number | null;
  /** More may follow that only `more` reads, as nobody knows how many match. */
  hasMore: boolean;
  columns: readonly string[];
  /** Why the last page could not be read; nothing is read then until `refresh`. */
  failure: unknown;
  /** Undefined: it is on its way. */
  row: (n: number) => PersonRow | undefined;
}

/** The people of a campaign who match, of whom a bounded number of pages is kept. */
export interface PeoplePages {
  now: () => PeopleNow;
  /** These rows are seen now: their pages are read, and requests for others end. */
  see: (first: number, end: number) => void;
  more: () => void;
  /** Reads again what is seen; the rows stay until then. */
  refresh: () => void;
  close: () => void;
}

const MOST_PAGES = 20;
/** Whoever drags the scrollbar through the list asks for a page only where it rests as long as this. */
const REST_MS = 40;

/**
 * Where it is known how many match, any page is read by its place, which costs the same everywhere; otherwise one page
 * after the other by cursors.
 *
 * @param changed called when there is something else to show
 */
export function peoplePages(
  read: (page: PageAsked, signal: AbortSignal) => Promise<People>,
  changed: () => void,
): PeoplePages {
  const pages = new Map<number, People>();
  const fresh = new Set<number>();
  const requests = new Map<number, AbortController>();
  /** Cursors before pages, where places are not known. */
  let cursors: (string | null)[] = [null];
  let seen = [0];
  let count: number | undefined;
  let total: number | null = null;
  let columns: readonly string[] = [];
  let failure: unknown;
  let isClosed = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const pageCount = () => Math.ceil((count ?? 0) / PAGE_ROWS);
  const row = (n: number) => pages.get(Math.floor(n / PAGE_ROWS))?.items[n % PAGE_ROWS];
  const load = (n: number) => {
    const asked = askFor(n, cursors[n], total);
    if (asked === undefined || requests.has(n)) return;
    const request = new AbortController();
    requests.set(n, request);
    read(asked, request.signal).then(
      (page) => {
        if (requests.get(n) !== request) return;
        requests.delete(n);
        take(n, page);
        changed();
      },
      (error: unknown) => {
        if (requests.get(n) !== request) return;
        requests.delete(n);
        failure = error;
        changed();
      },
    );
  };
  const take = (n: number, page: People) => {
    pages.set(n, page);
    fresh.add(n);
    ({ total, columns } = page);
    if (total === null) follow(n, page);
    else count = total;
    const [first = 0] = seen;
    const farthest = [...pages.keys()].toSorted(
      (a, b) => Math.abs(b - first) - Math.abs(a - first),
    );
    for (const far of farthest.slice(0, Math.max(0, pages.size - MOST_PAGES))) {
      pages.delete(far);
      fresh.delete(far);
    }
  };
  /** Notes what comes after a page; when that is something else than before, what was known of it is no longer true. */
  const follow = (n: number, { next, items }: People) => {
    const isAsBefore = n + 1 < pageCount() && cursors[n + 1] === next;
    if (isAsBefore) return;
    cursors = [...cursors.slice(0, n + 1), ...(next === null ? [] : [next])];
    count = n * PAGE_ROWS + items.length;
  };
  const loadSeen = () => {
    resting = undefined;
    if (isClosed || failure !== undefined) return;
    for (const n of seen) if (!fresh.has(n)) load(n);
  };
  const endRequests = (kept: readonly number[]) => {
    for (const [n, request] of requests) {
      if (kept.includes(n)) continue;
      requests.delete(n);
      request.abort();
    }
  };

  load(0);
  return {
    now: () => ({
      ...{ count, total, columns, failure, row },
      hasMore: typeof cursors[pageCount()] === 'string',
    }),
    see: (first, end) => {
      seen = pagesOf(first, Math.min(end, count ?? 0));
      // The page that `more` asked for is beyond what is seen.
      endRequests([...seen, pageCount()]);
      if (seen.some((n) => !fresh.has(n))) resting ??= setTimeout(loadSeen, REST_MS);
    },
    more: () => {
      failure = undefined;
      load(pageCount());
    },
    refresh: () => {
      failure = undefined;
      fresh.clear();
      for (const n of seen.length === 0 ? [0] : seen) load(n);
    },
    close: () => {
      isClosed = true;
      clearTimeout(resting);
      endRequests([]);
    },
  };
}

function askFor(
  n: number,
  cursor: string | null | undefined,
  total: number | null,
): PageAsked | undefined {
  if (n === 0) return {};
  if (total !== null) return { at: n * PAGE_ROWS };
  return typeof cursor === 'string' ? { after: cursor } : undefined;
}
