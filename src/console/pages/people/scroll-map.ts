/**
 * Where rows are while they are scrolled. Browsers draw no element that is as high as a million rows, so the element that
 * scrolls is lower than the rows together, and the place of its scrollbar is a share of the whole.
 */

/** Height of a row in CSS pixels, as in people.css. */
export const ROW_HEIGHT = 44;
/** An element may be so high in every browser. */
export const MOST_HEIGHT = 8_000_000;
/** The wheel turns no farther at once, and a bar of that height that is dragged by a pixel goes farther. */
const SHORT_WAY = 4_000;
/** Rows of a page as it is read. */
export const PAGE_ROWS = 100;

export interface Extent {
  rows: number;
  /** Height in which rows are seen. */
  viewport: number;
}

/** Where somebody is: `top` is how far down the rows it is, `scrollTop` what the browser's scrollbar says. */
export interface Place {
  top: number;
  scrollTop: number;
}

/** Height of the element that scrolls. */
export function heightOf(rows: number): number {
  return Math.min(rows * ROW_HEIGHT, MOST_HEIGHT);
}

/** Where the scrollbar stands at `top`. */
export function scrollTopAt(top: number, extent: Extent): number {
  return withinBounds(top, extent) / rowsPerBar(extent);
}

/**
 * Where a scrollbar that was moved leads to. Short ways (wheel, touch) move the rows by as many pixels, so that they can be
 * followed with the eye; long ones (the bar is dragged) lead to the bar's share of the whole.
 */
export function scrolledTo(scrollTop: number, before: Place, extent: Extent): Place {
  const way = scrollTop - before.scrollTop;
  const isShort = Math.abs(way) <= SHORT_WAY;
  const top = isShort ? before.top + way : scrollTop * rowsPerBar(extent);
  return { top: withinBounds(top, extent), scrollTop };
}

/** The place after the shortest way that shows the whole of a row. */
export function topShowing(row: number, top: number, extent: Extent): number {
  const start = row * ROW_HEIGHT;
  const least = start + ROW_HEIGHT - extent.viewport;
  return withinBounds(Math.min(Math.max(top, least), start), extent);
}

/** The rows that are seen at `top`, as a range whose end is not in it. */
export function rowsAt(top: number, { rows, viewport }: Extent): { first: number; end: number } {
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT));
  return { first, end: Math.min(rows, Math.ceil((top + viewport) / ROW_HEIGHT)) };
}

/** The pages that hold a range of rows, the first one first. */
export function pagesOf(first: number, end: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(Math.max(0, first) / PAGE_ROWS); page * PAGE_ROWS < end; page++)
    pages.push(page);
  return pages;
}

/** Pixels of rows for a pixel of the scrollbar's way; 1 while the element is as high as its rows. */
function rowsPerBar(extent: Extent): number {
  const way = heightOf(extent.rows) - extent.viewport;
  return way <= 0 ? 1 : mostTop(extent) / way;
}

function withinBounds(top: number, extent: Extent): number {
  return Math.min(Math.max(0, top), mostTop(extent));
}

function mostTop({ rows, viewport }: Extent): number {
  return Math.max(0, rows * ROW_HEIGHT - viewport);
}
