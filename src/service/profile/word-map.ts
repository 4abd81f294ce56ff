import { normalizeWord } from '../../text/normalize.ts';

/**
 * Words and what they stand for. `*` may stand for anything at the end of a word, in front of it, or at both
 * ends: `limit*`, `*_limit`, `*limit*`. Of several that fit the closest one counts: the word itself, then the
 * longest beginning, then the longest of the others; `*` alone is the last resort.
 */
export class WordMap<T> {
  readonly #exact = new Map<string, T>();
  /** The closest first. */
  readonly #patterns: Pattern<T>[] = [];

  constructor(entries: readonly (readonly [string, T])[]) {
    for (const [word, to] of entries) {
      const [, front, middle = '', end] = /^(\*?)(.*?)(\*?)$/s.exec(word) ?? [];
      if (front === '' && end === '') this.#exact.set(normalizeWord(word), to);
      else this.#patterns.push(patternOf(middle, front === '*', end === '*', to));
    }
    this.#patterns.sort((a, b) => a.rank - b.rank || b.length - a.length);
  }

  /** @param word in its plain spelling */
  get(word: string): T | undefined {
    const exact = this.#exact.get(word);
    if (exact !== undefined || this.#patterns.length === 0) return exact;
    return this.#patterns.find(({ fits }) => fits(word))?.to;
  }

  has(word: string): boolean {
    return this.get(word) !== undefined;
  }

  /** What words can stand for, in no order, perhaps several times. */
  values(): T[] {
    return [...this.#exact.values(), ...this.#patterns.map(({ to }) => to)];
  }
}

interface Pattern<T> {
  fits: (word: string) => boolean;
  /** Beginnings are closer than endings and parts. */
  rank: number;
  length: number;
  to: T;
}

function patternOf<T>(text: string, isOpenInFront: boolean, isOpenAtEnd: boolean, to: T) {
  const part = plainPart(text, isOpenInFront, isOpenAtEnd);
  const { length } = part;
  // A lone `*` fits everything: were it a beginning, no ending and no part would ever count.
  const rank = length === 0 ? 2 : isOpenInFront ? 1 : 0;
  const fits = !isOpenInFront
    ? (word: string) => word.startsWith(part)
    : isOpenAtEnd
      ? (word: string) => word.includes(part)
      : (word: string) => word.endsWith(part);
  return { fits, rank, length, to } satisfies Pattern<T>;
}

/**
 * `normalizeWord` that keeps the blanks and other separators at an open end: they say where a word begins or ends.
 * A digit beside them keeps them from being cut, and is no letter that would make a second word.
 */
function plainPart(text: string, isOpenInFront: boolean, isOpenAtEnd: boolean): string {
  const rest = isOpenInFront ? text : text.trimStart();
  return normalizeWord(`0${isOpenAtEnd ? rest : rest.trimEnd()}0`).slice(1, -1);
}
