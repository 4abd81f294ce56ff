import type { E164 } from '../../domain/phone.ts';

/** Numbers are kept by so many rows: what grows by doubling leaves as much behind. */
const ROWS_A_PAGE = 65_536;

/** Of a longer list the later rows are read anew: 16 MB are enough. */
const MOST_PAGES = 32;

/**
 * The numbers that rows were read as, so that a list that is surveyed and then imported is not parsed twice:
 * 8 bytes a row, for rows of which there is nothing else to say.
 */
export class NumberMemory {
  #pages: (Float64Array | undefined)[] = [];
  #readAs = '';

  /** @param readAs the options under which they were read; others begin anew */
  begin(readAs: string): void {
    if (readAs === this.#readAs) return;
    this.forget();
    this.#readAs = readAs;
  }

  recall(row: number): E164 | undefined {
    const number = this.#pages[Math.floor(row / ROWS_A_PAGE)]?.[row % ROWS_A_PAGE] ?? 0;
    return number === 0 ? undefined : (`+${number}` as E164);
  }

  keep(row: number, phone: E164): void {
    const at = Math.floor(row / ROWS_A_PAGE);
    if (at >= MOST_PAGES) return;
    const page = (this.#pages[at] ??= new Float64Array(ROWS_A_PAGE));
    page[row % ROWS_A_PAGE] = Number(phone);
  }

  forget(): void {
    this.#pages = [];
    this.#readAs = '';
  }
}
