import type { Claim, DialRecord } from '../store/port.ts';

/** How many dials are worth asking for: slots that may be free, the operator's limit, dials in flight. */
export class DialBudget {
  /** Slots that may be free. The claim decides; this only saves asking in vain. */
  #room: number;
  /** Dials that may still be made; Infinity: no limit. */
  #left: number;
  #inFlight = 0;

  /** @param limit dials of this run at most; null: no limit */
  constructor(concurrency: number, limit: number | null) {
    this.#room = concurrency;
    this.#left = limit ?? Infinity;
  }

  /** Dials that are not answered yet, or whose answer is not kept yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** True when the limit is reached for good: a dial in flight may still be given back. */
  get isSpent(): boolean {
    return this.#left <= 0 && this.#inFlight === 0;
  }

  /** 0 when nothing can be wanted now. */
  get most(): number {
    return Math.max(0, Math.min(this.#room, this.#left));
  }

  /** Another runner's calls end unseen: look now and then whether there is room after all. */
  guessRoom(): void {
    this.#room = Math.max(this.#room, 1);
  }

  slotFreed(): void {
    this.#room += 1;
  }

  asked(want: number): void {
    this.#room -= want;
  }

  granted(want: number, { intents, shortfall }: Claim): void {
    // What is sent again has its slot, and was counted when it was sent first; a claim gives these alone.
    const taken = intents[0]?.replayed === true ? 0 : intents.length;
    this.#left -= taken;
    this.#inFlight += intents.length;
    // Where slots were lacking the estimate was wrong; what was freed meanwhile has been added to it.
    if (shortfall !== 'no_free_slot') this.#room += want - taken;
  }

  /** The dial's answer is known: a call that was placed, or may have been, goes on holding its slot. */
  answered(record: DialRecord): void {
    if (record.kind !== 'placed' && record.kind !== 'unknown') this.#room += 1;
    if (record.kind === 'released') this.#left += 1;
  }

  /** The dial is over, whatever became of it. */
  done(): void {
    this.#inFlight -= 1;
  }
}
