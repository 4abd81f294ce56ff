import { SingleBar } from 'cli-progress';
import type { Campaign, Progress, Store } from '../store/port.ts';
import type { Io } from './io.ts';
import { say } from './output.ts';

const TERMINAL_EVERY_MS = 500;
const PLAIN_EVERY_MS = 5_000;
/** Counting a long list takes time: at most a twentieth of it. */
const COST_SHARE = 20;

export interface ProgressDisplay {
  /** Prints a sentence without tearing the bar. */
  say: (sentence: string) => void;
  stop(): Promise<void>;
}

/** Done, in progress, waiting, calls per minute and time left: a bar on a terminal, plain lines elsewhere. */
export function showProgress(store: Store, campaign: Campaign, io: Io): ProgressDisplay {
  const stopping = new AbortController();
  const bar = io.stderrIsTty ? createBar(io) : undefined;
  const rate = rateSince(io.clock.monotonic());
  let pending: string[] = [];
  let lastLine = '';

  const show = (progress: Progress) => {
    for (const sentence of pending) {
      // The bar's line is cleared first; it is drawn again below.
      if (bar !== undefined) io.stderr.write('\r\u001b[K');
      say(io, sentence);
    }
    pending = [];
    const line = lineOf(progress, rate(progress.done, io.clock.monotonic()));
    if (bar === undefined) {
      if (line !== lastLine) say(io, line);
      lastLine = line;
      return;
    }
    bar.setTotal(progress.total);
    bar.update(progress.done, { line });
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const before = io.clock.monotonic();
      show(await store.progress(campaign.id, io.clock.now()));
      const cost = io.clock.monotonic() - before;
      const every = bar === undefined ? PLAIN_EVERY_MS : TERMINAL_EVERY_MS;
      await io.clock.sleep(Math.max(every, cost * COST_SHARE), stopping.signal);
    }
  };
  bar?.start(1, 0, { line: '' });
  const stopped = loop();

  return {
    say: (sentence) => {
      if (bar === undefined) say(io, sentence);
      else pending.push(sentence);
    },
    stop: async () => {
      stopping.abort();
      await stopped;
      show(await store.progress(campaign.id, io.clock.now()));
      bar?.stop();
    },
  };
}

/** One line that says where the leads are. */
export function lineOf(progress: Progress, perMinute: number): string {
  const { done, calling, waiting, unknown } = progress;
  const parts = [`${done} done`, `${calling} in progress`, `${waiting} waiting`];
  if (unknown > 0) parts.push(`${unknown} unknown`);
  if (perMinute > 0) {
    parts.push(`${Math.round(perMinute)}/min`);
    const left = (waiting + calling) / perMinute;
    if (left > 0) parts.push(`about ${duration(left)} left`);
  }
  return parts.join(', ');
}

function createBar(io: Io): SingleBar {
  return new SingleBar({
    stream: io.stderr,
    format: '{bar} {percentage}% {line}',
    barsize: Math.max(10, Math.min(30, io.columns - 75)),
    clearOnComplete: false,
    hideCursor: true,
    linewrap: false,
    autopadding: false,
  });
}

/** Leads done per minute since the display began. */
function rateSince(startedAt: number): (done: number, now: number) => number {
  let first: number | undefined;
  return (done, now) => {
    first ??= done;
    const minutes = (now - startedAt) / 60_000;
    return minutes > 0 ? (done - first) / minutes : 0;
  };
}

function duration(minutes: number): string {
  if (minutes < 1) return `${Math.max(1, Math.round(minutes * 60))} s`;
  if (minutes < 90) return `${Math.round(minutes)} min`;
  return `${(minutes / 60).toFixed(1)} h`;
}
