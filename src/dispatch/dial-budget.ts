import type { Claim, DialRecord } from '../store/port.ts';

/**
 * How many leads are worth claiming: an estimate from the slots that may be free, what is left of `--limit`, and the
 * dials in flight. The store decides; the estimate only avoids claims that would get nothing.
 */
export class DialBudget {
  /** Slots that may be free. */
  #room: number;
  /** Dials that may still be made; Infinity: no limit. */
  #left: number;
  #inFlight = 0;
  #concurrency: number;
  /** How many slots the next guess is about, and whether the last claim asked for guessed ones. */
  #guess = 1;
  #isGuessed = false;

  /** @param limit dials of this run at most; null: no limit */
  constructor(concurrency: number, limit: number | null) {
    this.#room = concurrency;
    this.#concurrency = concurrency;
    this.#left = limit ?? Infinity;
  }

  /** Dials whose answer has not come, or is not recorded yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** True when the limit is used up and no dial in flight can be given back any more. */
  get isSpent(): boolean {
    return this.#left <= 0 && this.#inFlight === 0;
  }

  /** How many leads to claim at most; 0: none now. */
  get most(): number {
    return Math.max(0, Math.min(this.#room, this.#left));
  }

  /** Ends of other processes' calls are not seen: assume one free slot now and then, so that a claim finds out. */
  guessRoom(): void {
    if (this.#room > 0) return;
    this.#room = this.#guess;
    this.#isGuessed = true;
  }

  /** The campaign may use another number of slots. */
  resize(concurrency: number): void {
    this.#room += concurrency - this.#concurrency;
    this.#concurrency = concurrency;
  }

  slotFreed(): void {
    this.#room += 1;
  }

  asked(want: number): void {
    this.#room -= want;
  }

  granted(want: number, { intents, shortfall }: Claim): void {
    // Replays have their slots already and were counted when they were sent first; a claim never mixes them with new dials.
    const taken = intents[0]?.replayed === true ? 0 : intents.length;
    this.#left -= taken;
    this.#inFlight += intents.length;
    // The store found no free slot: the estimate was too high. Slots freed since then were added to it already.
    if (shortfall !== 'no_free_slot') this.#room += want - taken;
    // A guess that came true is followed by a larger one: slots that others have left are filled in a few steps.
    const cameTrue = this.#isGuessed && shortfall === null && taken > 0;
    this.#guess = cameTrue ? Math.min(2 * this.#guess, this.#concurrency) : 1;
    if (cameTrue) this.#room = Math.max(this.#room, this.#guess);
    this.#isGuessed = cameTrue;
  }

  /** Call when the answer is recorded. A call that was placed, or may have been, keeps its slot. */
  answered(record: DialRecord): void {
    if (record.kind !== 'placed' && record.kind !== 'unknown') this.#room += 1;
    if (record.kind === 'released') this.#left += 1;
  }

  /** Call when the dial is over, with or without an answer. */
  done(): void {
    this.#inFlight -= 1;
  }
}
