import type { Progress } from '../../store/port.ts';
import type { Io } from '../io.ts';
import type { MessageKind, RowProgress } from '../../app/world.ts';
import { say } from './output.ts';
import { grouped } from '../../text/amounts.ts';
import { countsOf } from '../../results/figure-lines.ts';
import { createBar, widthNow, type Bar } from './terminal.ts';

const TERMINAL_EVERY_MS = 500;
const PLAIN_EVERY_MS = 5_000;
/** How often progress is written where lines are kept, e.g. in a log file: 480 lines in a night of eight hours. */
const WRITTEN_EVERY_MS = 60_000;

/** In a shorter time than this, a rate is not meaningful. */
const RATE_AFTER_MS = 3_000;

export type ProgressDisplay = ReturnType<typeof showProgress>;

/** How often the display needs new figures. */
export function progressEveryMs(io: Io): number {
  return hasBar(io) ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS;
}

/** Shows done, in progress, waiting, calls per minute and time left: a bar on a terminal, plain lines elsewhere. */
export function showProgress(io: Io) {
  const bar = hasBar(io) ? createBar(io, barSize(io)) : undefined;
  const rate = rateSince(io.clock.monotonic());
  let total = 1;
  let done = 0;
  let parts: string[] = [];
  let written = '';
  let writeAt = -Infinity;
  let isOver = false;

  const draw = () => bar?.draw(done / total, fitted(parts, widthNow(io) - widthOfBar(io)));
  const write = (to: (line: string) => void) => {
    const line = parts.join(', ');
    if (line !== written) to(line);
    written = line;
    writeAt = io.clock.monotonic() + WRITTEN_EVERY_MS;
  };
  draw();

  return {
    show: (progress: Progress, last: boolean) => {
      done = progress.done;
      total = Math.max(1, progress.total);
      parts = partsOf(progress, rate(done, io.clock.monotonic()));
      isOver = last;
      if (last) {
        bar?.clear();
        write(say.bind(null, io));
        return;
      }
      draw();
      if (io.clock.monotonic() < writeAt) return;
      write(bar === undefined ? say.bind(null, io) : (line) => io.messages?.keep(line));
    },
    /** Prints a sentence between two states of the bar, so that neither is garbled. */
    say: (sentence: string, kind: MessageKind) => {
      // The bar is removed before the sentence and drawn again below it.
      bar?.clear();
      say(io, sentence, kind);
      if (!isOver) draw();
    },
  };
}

function hasBar(io: Io): boolean {
  return io.stderrIsTty && io.messages?.quiet !== true;
}

/** Begins or ends of parts that are left out of a line that is too narrow, in this order; the count of done leads always stays. */
const LEAVE_OUT = [' to come', '/min', 'one in ', ' left', ' in progress', ' in doubt', ' waiting'];

/** Joins the parts to a line, without those that do not fit. */
export function fitted(parts: readonly string[], width: number): string {
  let kept = [...parts];
  for (const ending of LEAVE_OUT) {
    if (kept.join(', ').length <= width) break;
    kept = kept.filter((part) => !part.endsWith(ending) && !part.startsWith(ending));
  }
  return kept.join(', ');
}

/** The counts of leads, part by part. */
export function partsOf(
  progress: Pick<Progress, 'done' | 'calling' | 'held' | 'waiting' | 'unknown'>,
  perMinute: number,
): string[] {
  const { calling, waiting, unknown } = progress;
  const parts = countsOf(progress);
  if (unknown > 0) parts.push(`${grouped(unknown)} in doubt`);
  if (perMinute > 0) {
    const isSlow = Math.round(1 / perMinute) > 1;
    parts.push(
      isSlow ? `one in ${duration(1 / perMinute)}` : `${grouped(Math.round(perMinute))}/min`,
    );
    const left = (waiting + calling) / perMinute;
    if (left > 0) parts.push(`about ${duration(left)} left`);
  }
  return parts;
}

function barSize(io: Io): number {
  return Math.max(10, Math.min(30, io.columns - 75));
}

/** Includes the percentage and the last column, at which a terminal may wrap. */
function widthOfBar(io: Io): number {
  return barSize(io) + ' 100% '.length + 1;
}

/** Leads done per minute since the display began; 0 until enough time has passed for a meaningful rate. */
function rateSince(startedAt: number): (done: number, now: number) => number {
  let first: number | undefined;
  return (done, now) => {
    first ??= done;
    const minutes = (now - startedAt) / 60_000;
    return minutes * 60_000 >= RATE_AFTER_MS ? (done - first) / minutes : 0;
  };
}

function duration(minutes: number): string {
  if (minutes < 1) return `${Math.max(1, Math.round(minutes * 60))} s`;
  if (minutes < 90) return `${Math.round(minutes)} min`;
  return `${(minutes / 60).toFixed(1)} h`;
}

/** Shorter lists are read so quickly that they need no bar. */
const FROM_ROWS = 20_000;
const BAR_SIZE = 20;
/** The width of everything beside the name, for the longest list. */
const WIDTH_WITHOUT = BAR_SIZE + ' 100% : 1,000,000 of 1,000,000 rows'.length + 1;

/** A bar while a long list is read, on a terminal only; Ctrl-C ends the reading. */
export function listProgress(io: Io, what: string): RowProgress {
  let bar: Bar | undefined;
  let isOver = false;
  // The path is shown completely or not at all, because a cut path does not name the file.
  const named = what.length <= widthNow(io) - WIDTH_WITHOUT ? what : (what.split(' ')[0] ?? '');
  return {
    onProgress: ({ done, total }) => {
      io.underway?.signal.throwIfAborted();
      if (isOver || !io.stderrIsTty || total < FROM_ROWS) return;
      bar ??= createBar(io, BAR_SIZE);
      bar.draw(done / total, `${named}: ${grouped(done)} of ${grouped(total)} rows`);
    },
    stop: () => {
      isOver = true;
      bar?.clear();
    },
  };
}
