import type { Clock } from '../../runtime/clock.ts';

/** Characters of all pages together: the whole list is held in memory. */
const LARGEST_LIST = 67_108_864;
const LONGEST_LIST_MS = 5 * 60_000;

/**
 * Limits how many pages of one list are read: a service whose pages link in a circle, are slow or very large must neither
 * block the reader nor fill its memory.
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

  /** Counts the page; false: it must not be requested, and the list stays incomplete. */
  take({ href }: URL): boolean {
    const isSpent =
      this.#asked.has(href) ||
      this.#asked.size === this.#mostPages ||
      this.#characters > LARGEST_LIST ||
      this.#clock.monotonic() > this.#until;
    this.#asked.add(href);
    return !isSpent;
  }

  /** Counts the size of a page that was read. */
  spend(text: string): void {
    this.#characters += text.length;
  }
}
