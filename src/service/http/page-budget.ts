import type { Clock } from '../../runtime/clock.ts';

/** Characters of all pages together: a list is held in memory as a whole. */
const LARGEST_LIST = 67_108_864;
const LONGEST_LIST_MS = 5 * 60_000;

/**
 * How far the pages of one list are followed. A service that goes round in circles, is slow on each of a thousand pages,
 * or fills every one of them must not hold up, or fill the memory of, the one who reads.
 */
export class PageBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #mostPages: number;
  readonly #until: number;
  readonly #asked = new Set<string>();
  #characters = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, mostPages: number) {
    this.#clock = clock;
    this.#mostPages = mostPages;
    this.#until = clock.monotonic() + LONGEST_LIST_MS;
  }

  /** Counts the page as asked for; false: it is not to be, and the list stays without its end. */
  take({ href }: URL): boolean {
    const isSpent =
      this.#asked.has(href) ||
      this.#asked.size === this.#mostPages ||
      this.#characters > LARGEST_LIST ||
      this.#clock.monotonic() > this.#until;
    this.#asked.add(href);
    return !isSpent;
  }

  /** The page has come. */
  spend(text: string): void {
    this.#characters += text.length;
  }
}
