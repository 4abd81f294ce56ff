import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  ROW_HEIGHT,
  rowsAt,
  scrolledTo,
  scrollTopAt,
  topShowing,
  type Place,
} from './scroll-map.ts';

/** Rows of a box that scrolls, of which only those that are seen are drawn. */
export interface VirtualRows {
  /** Drawn rows: those that are seen, and some around them. The end is not in it. */
  first: number;
  end: number;
  /** Rows that are wholly seen at once. */
  perScreen: number;
  /** Where a drawn row stands in the element that scrolls, in px. */
  offsetOf: (row: number) => number;
  /** Scrolls no farther than it takes. */
  show: (row: number) => void;
  onScroll: () => void;
}

/** Drawn beyond what is seen, so that a quick finger meets rows. */
const AROUND = 8;
const STILL_MS = 150;

/**
 * @param box the element that scrolls
 * @param headHeight of what stays at its top, in px
 */
export function useVirtualRows(
  box: RefObject<HTMLElement>,
  rows: number,
  headHeight: number,
): VirtualRows {
  const place = useRef<Place>({ top: 0, scrollTop: 0 }).current;
  const [, setDrawn] = useState(0);
  const [viewport, setViewport] = useState(0);
  const still = useRef<ReturnType<typeof setTimeout>>();
  const extent = { rows, viewport };

  const redraw = () => {
    setDrawn((n) => n + 1);
  };
  /** Puts the scrollbar where it belongs: after short ways it is not quite there. */
  const settle = () => {
    const element = box.current;
    if (element === null) return;
    const wanted = scrollTopAt(place.top, extent);
    if (Math.abs(wanted - element.scrollTop) >= 1) element.scrollTop = wanted;
    place.scrollTop = element.scrollTop;
    redraw();
  };
  const settleNow = useRef(settle);
  settleNow.current = settle;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = new ResizeObserver(() => {
      setViewport(Math.max(0, element.clientHeight - headHeight));
    });
    measure.observe(element);
    return () => {
      measure.disconnect();
      clearTimeout(still.current);
    };
  }, []);
  useLayoutEffect(() => {
    settleNow.current();
  }, [rows, viewport]);

  const { first, end } = rowsAt(place.top, extent);
  return {
    first: Math.max(0, first - AROUND),
    end: Math.min(rows, end + AROUND),
    perScreen: Math.max(1, Math.floor(viewport / ROW_HEIGHT)),
    offsetOf: (row) => place.scrollTop + row * ROW_HEIGHT - place.top,
    show: (row) => {
      place.top = topShowing(row, place.top, extent);
      settle();
    },
    onScroll: () => {
      const element = box.current;
      if (element === null) return;
      Object.assign(place, scrolledTo(element.scrollTop, place, extent));
      redraw();
      clearTimeout(still.current);
      // At an end of the bar there may be rows left that it has to make way for.
      const isAtEnd =
        element.scrollTop <= 0 ||
        element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
      if (isAtEnd) settle();
      else
        still.current = setTimeout(() => {
          settleNow.current();
        }, STILL_MS);
    },
  };
}
