import type { SingleBar } from 'cli-progress';
import type { Campaign, Progress, Store } from '../store/port.ts';
import type { Io } from './io.ts';
import { say } from './output.ts';
import { grouped } from '../results/words.ts';

import { heldInDoubt } from './resolve-words.ts';
import { createBar } from './terminal.ts';

const TERMINAL_EVERY_MS = 500;
const PLAIN_EVERY_MS = 5_000;
/** Counting a long list takes time: at most a twentieth of it. */
const COST_SHARE = 20;

/** A rate of less than this says nothing. */
const RATE_AFTER_MS = 3_000;

export interface ProgressDisplay {
  /** Prints a sentence without tearing the bar. */
  say: (sentence: string) => void;
  stop: () => Promise<void>;
}

/** Done, in progress, waiting, calls per minute and time left: a bar on a terminal, plain lines elsewhere. */
export function showProgress(store: Store, campaign: Campaign, io: Io): ProgressDisplay {
  const stopping = new AbortController();
  const bar = io.stderrIsTty ? runBar(io) : undefined;
  const rate = rateSince(io.clock.monotonic());
  let total = 1;
  let done = 0;
  let line = '';
  let printed = '';
  /** Said once that calls in doubt hold slots, and once more when they hold all of them. */
  let warned: 'no' | 'in_doubt' | 'held_up' = 'no';

  const look = async () => {
    const progress = await store.progress(campaign.id, io.clock.now());
    ({ total, done } = progress);
    line = lineOf(progress, rate(done, io.clock.monotonic()));
    if (progress.doubts === 0) return;
    const isHeldUp = progress.waiting > 0 && progress.unknown >= campaign.settings.concurrency;
    if (warned === 'held_up' || (warned === 'in_doubt' && !isHeldUp)) return;
    const held = heldInDoubt(await store.heldSlots(campaign.id, io.clock.now()), campaign);
    if (held === undefined) return;
    warned = isHeldUp ? 'held_up' : 'in_doubt';
    tell(held);
  };
  const tell = (sentence: string) => {
    // The bar leaves its line to the sentence and begins anew below.
    bar?.stop();
    say(io, sentence);
    if (!stopping.signal.aborted) bar?.start(total, done, { line });
  };
  const print = () => {
    if (line !== printed) say(io, line);
    printed = line;
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const before = io.clock.monotonic();
      await look();
      const cost = io.clock.monotonic() - before;
      if (bar === undefined) print();
      else bar.update(done, { line });
      bar?.setTotal(total);
      const every = bar === undefined ? PLAIN_EVERY_MS : TERMINAL_EVERY_MS;
      await io.clock.sleep(Math.max(every, cost * COST_SHARE), stopping.signal);
    }
  };
  bar?.start(total, done, { line });
  const stopped = loop();

  return {
    say: tell,
    stop: async () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await stopped;
      bar?.stop();
      await look();
      print();
    },
  };
}

/** One line that says where the leads are. */
export function lineOf(
  {
    done,
    calling,
    held,
    waiting,
    unknown,
  }: Pick<Progress, 'done' | 'calling' | 'held' | 'waiting' | 'unknown'>,
  perMinute: number,
): string {
  const parts = [`${grouped(done)} done`, `${grouped(held)} in progress`];
  // Their line is down, their analytics are still to come.
  if (calling > held) parts.push(`${grouped(calling - held)} ended`);
  parts.push(`${grouped(waiting)} waiting`);
  if (unknown > 0) parts.push(`${grouped(unknown)} unknown`);
  if (perMinute > 0) {
    parts.push(`${grouped(Math.round(perMinute))}/min`);
    const left = (waiting + calling) / perMinute;
    if (left > 0) parts.push(`about ${duration(left)} left`);
  }
  return parts.join(', ');
}

function runBar(io: Io): SingleBar {
  return createBar(io, {
    format: '{bar} {percentage}% {line}',
    barsize: Math.max(10, Math.min(30, io.columns - 75)),
    // Where it stood, the last line stays as text.
    clearOnComplete: true,
    // Cut at the width of the terminal; without it, sentences in between would be cut as well.
    linewrap: true,
  });
}

/** Leads done per minute since the display began; 0 while that is too short a time to tell. */
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
