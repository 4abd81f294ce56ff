import type { Clock } from '../../../src/runtime/clock.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { START } from '../../helpers/clock.ts';
import { Sleepers, sleepOn } from '../../../src/runtime/fast-time.ts';

/** More steps than any run takes that comes to its end: where hours open once a week, two runners took between 600,000 and this. */
const MOST_STEPS = 3_000_000;

/** The machine's time: it stands still until the next one who waits is woken, in an order that a seed fixes. */
export class EventClock implements Clock {
  #wall = START;
  #monotonic = 0;
  /** When the wall clock was set, and what it showed just before. */
  readonly #sets: { at: number; before: number }[] = [];
  readonly #waiting = new Sleepers();
  #soon: (() => void)[] = [];
  /** Real work in progress, such as a file that is written: the time stands still meanwhile. */
  #real: Promise<unknown> | undefined;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(ms: number, work: () => void): () => void {
    return this.#waiting.add(this.#monotonic + Math.max(0, ms), work);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((delay, wake) => this.after(delay, wake), ms, signal);
  }

  /** To be done before the time moves on: a group commit gathers for some real milliseconds. */
  soon(work: () => void): void {
    this.#soon.push(work);
  }

  /** Nothing else goes on until this real work is done: how long it takes must not change the run. */
  standStill<T>(work: () => Promise<T>): Promise<T> {
    const real = work().finally(() => {
      if (this.#real === real) this.#real = undefined;
    });
    this.#real = real;
    return real;
  }

  /**
   * Lets the time pass until `work` is done: when everything has come to rest, one of those who are due soon
   * goes on, in an order left to chance, or else the next one who waits.
   */
  async pass<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const over = () => {
      state.isOver = true;
    };
    work.then(over, over);
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      await turn();
      while (this.#real !== undefined) await this.#real.then(turn, turn);
      if (state.isOver) return work;
      const next = Math.floor(this.#random() * this.#soon.length);
      const [soon] = this.#soon.splice(next, 1);
      if (soon !== undefined) soon();
      else if (!this.#wakeNext()) throw new Error('everybody waits for what will never come');
    }
    throw new Error('this run does not come to its end');
  }

  /** Sets the wall clock only, as an administrator or a time server does. */
  setWall(epochMs: number): void {
    this.#sets.push({ at: this.#monotonic, before: this.#wall });
    this.#wall = epochMs;
  }

  /** What the wall clock has shown since a moment (monotonic ms): spans, epoch ms. */
  wallsSince(since: number): [from: number, to: number][] {
    const spans: [number, number][] = [];
    let to = this.#wall;
    let at = this.#monotonic;
    for (const set of this.#sets.toReversed()) {
      if (set.at < since) break;
      spans.push([to - (at - set.at), to]);
      [at, to] = [set.at, set.before];
    }
    return [...spans, [to - (at - Math.max(0, Math.min(since, at))), to]];
  }

  #wakeNext(): boolean {
    const next = this.#waiting.first;
    if (next === undefined) return false;
    const { wake } = next;
    this.#waiting.remove(next);
    this.#wall += next.dueAt - this.#monotonic;
    this.#monotonic = next.dueAt;
    wake();
    return true;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
