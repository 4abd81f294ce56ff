import type { E164 } from '../domain/phone.ts';

/**
 * The numbers that rows were read as, so that a list that is surveyed and then imported is not parsed twice:
 * 8 bytes a row, for rows of which there is nothing else to say.
 */
export class NumberMemory {
  #numbers = new Float64Array(1_024);
  #readAs = '';

  /** @param readAs the options under which they were read; others begin anew */
  begin(readAs: string): void {
    if (readAs === this.#readAs) return;
    this.#readAs = readAs;
    this.#numbers = new Float64Array(1_024);
  }

  recall(row: number): E164 | undefined {
    const number = this.#numbers[row] ?? 0;
    return number === 0 ? undefined : (`+${number}` as E164);
  }

  keep(row: number, phone: E164): void {
    if (row >= this.#numbers.length) {
      const longer = new Float64Array(Math.max(this.#numbers.length * 2, row + 1));
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[row] = Number(phone);
  }

  forget(): void {
    this.#numbers = new Float64Array(0);
    this.#readAs = '';
  }
}
