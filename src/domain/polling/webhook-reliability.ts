/** About how many calls count; older calls fade. */
const REMEMBERED = 200;
/** After this many calls in a row whose end a poll found first, deliveries are taken to have stopped. */
const SILENT_AFTER = 5;

/** The first source of the news that a call was over. */
export type ToldBy = 'poll' | 'delivery';

/**
 * How reliable deliveries (webhooks) are, by the share of calls whose delivery came before a poll found their end.
 * Before the first delivery all calls count as untold, as where no webhooks are received.
 */
export class WebhookReliability {
  #delivered = 0;
  #found = 0;
  #foundInARow = 0;

  /** The share of calls whose end no delivery reports in time, above 0; 1: deliveries report none. */
  get untold(): number {
    if (this.#delivered === 0 || this.#foundInARow >= SILENT_AFTER) return 1;
    return (this.#found + 1) / (this.#found + this.#delivered + 2);
  }

  /** @returns true when this call shows that deliveries have stopped */
  learn(by: ToldBy): boolean {
    const sum = this.#delivered + this.#found;
    const factor = sum < REMEMBERED ? 1 : (REMEMBERED - 1) / sum;
    this.#delivered = this.#delivered * factor + (by === 'delivery' ? 1 : 0);
    this.#found = this.#found * factor + (by === 'poll' ? 1 : 0);
    this.#foundInARow = by === 'poll' ? this.#foundInARow + 1 : 0;
    return this.#foundInARow === SILENT_AFTER && this.#delivered > 0;
  }
}
