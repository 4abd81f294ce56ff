import type { Page } from 'playwright-core';

/** A page beats so often. On a starved machine it beats less often, and may be late by as many beats. */
const BEAT_MS = 100;
/** A page shows a change within so many beats, and so many after a new start of a process that was killed. */
const LATE = 20;
const LATE_AFTER_START = 30;
/** A page asks again so many beats after the time for it. */
const LATE_TO_ASK = 10;
/** It rests for 20 times as long as an answer took; a starved page may take that for a little longer than it is seen here. */
const REST = 25;

/** From the kill of a process to when the next one was there, epoch ms of the browser. */
export interface Gap {
  from: number;
  to: number;
}

/**
 * The moment, epoch ms of the browser, whose state a page must show now, or a later one. The page measures it: when it
 * asked for what it shows, or LATE beats ago. It waits for an answer, or it rests after one.
 */
export const shownSince = (page: Page, gaps: readonly Gap[]): Promise<number> =>
  page.evaluate<number>(`shownSince(${JSON.stringify(gaps)})`);

export const NOTE_ANSWERS = `(() => {
  const { fetch } = window;
  const now = () => performance.now();
  const answers = new Map();
  const beats = [];
  setInterval(() => beats.push(now()), ${BEAT_MS});
  /** So many beats before a moment; the page may not have been there yet. */
  const beatsBefore = (at, count) => beats[beats.findLastIndex((beat) => beat <= at) - count + 1] ?? -Infinity;
  /** Whether the console has gone away, and when it was back. */
  let [isLost, backAt] = [false, -Infinity];
  const isAsking = () => [...answers.values()].some(({ isAsked }) => isAsked);
  const shownAge = () => {
    const shown = [...answers.values()].filter(({ isAsked, began, ended }) =>
      isAsked || beatsBefore(now(), ${LATE_TO_ASK}) < ended + Math.max(1000, ${REST} * (ended - began)));
    return Math.max(0, ...shown.map(({ began }) => now() - began));
  };
  window.shownSince = (gaps) => {
    const epoch = Date.now() - now();
    const since = Math.min(beatsBefore(now(), ${LATE}), now() - shownAge());
    const isOpen = ({ to }) => to === null || Math.max(to - epoch, backAt) > beatsBefore(now(), ${LATE_AFTER_START});
    const open = gaps.filter((gap, i) => isOpen(gap) || (isLost && isAsking() && i === gaps.length - 1));
    return Math.max(0, epoch + Math.min(since, ...open.map(({ from }) => beatsBefore(from - epoch, ${LATE}))));
  };
  window.fetch = async (address, ...more) => {
    const { pathname } = new URL(address, location.href);
    const before = answers.get(pathname);
    const began = now();
    answers.set(pathname, { ...(before ?? { began, ended: began }), isAsked: true });
    // After the page has taken it: it measures how long that took, too.
    const isThere = () => setTimeout(() => answers.set(pathname, { began, ended: now() }));
    try {
      const answer = await fetch(address, ...more);
      // Whether the console is back is asked without a look at the answer.
      if (answer.status === 304 || pathname.endsWith('/session')) isThere();
      if (isLost) [isLost, backAt] = [false, now()];
      const json = answer.json.bind(answer);
      answer.json = () => json().finally(isThere);
      return answer;
    } catch (error) {
      if (error.name !== 'AbortError') isLost = true;
      answers.set(pathname, { began: 0, ended: 0, ...before, isAsked: false });
      throw error;
    }
  };
})()`;
