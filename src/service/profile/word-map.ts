import { normalizeWord } from '../../text/fold-words.ts';

/**
 * Maps words to values. `*` at the end of a word, in front of it, or at both ends matches any text: `limit*`,
 * `*_limit`, `*limit*`. If several match, the closest wins: the word itself, then the longest beginning, then the
 * longest of the other patterns; `*` alone comes last.
 */
export class WordMap<T> {
  /** The entries as given: patterns with their `*`, other words as `normalizeWord` spells them. */
  readonly entries: readonly (readonly [word: string, to: T])[];
  readonly #exact = new Map<string, T>();
  /** The closest pattern first. */
  readonly #patterns: ReturnType<typeof patternOf<T>>[] = [];

  constructor(entries: readonly (readonly [string, T])[]) {
    this.entries = entries.map(([word, to]) => {
      const [, front, middle = '', end] = /^(\*?)(.*?)(\*?)$/s.exec(word) ?? [];
      if (front !== '' || end !== '') {
        this.#patterns.push(patternOf(middle, front === '*', end === '*', to));
        return [word, to];
      }
      const plain = normalizeWord(word);
      this.#exact.set(plain, to);
      return [plain, to];
    });
    this.#patterns.sort((a, b) => a.rank - b.rank || b.length - a.length);
  }

  /** @param word as `normalizeWord` spells it */
  get(word: string): T | undefined {
    const exact = this.#exact.get(word);
    if (exact !== undefined || this.#patterns.length === 0) return exact;
    return this.#patterns.find(({ fits }) => fits(word))?.to;
  }

  has(word: string): boolean {
    return this.get(word) !== undefined;
  }
}

function patternOf<T>(text: string, isOpenInFront: boolean, isOpenAtEnd: boolean, to: T) {
  const part = plainPart(text, isOpenInFront, isOpenAtEnd);
  const { length } = part;
  // Beginnings are closer than endings and parts. `*` alone matches everything: ranked as a beginning, it would win
  // over them.
  const rank = length === 0 ? 2 : isOpenInFront ? 1 : 0;
  const fits = !isOpenInFront
    ? (word: string) => word.startsWith(part)
    : isOpenAtEnd
      ? (word: string) => word.includes(part)
      : (word: string) => word.endsWith(part);
  return { fits, rank, length, to };
}

/**
 * `normalizeWord` for a part of a word: separators at an open end are kept, as they mark where a word begins or ends.
 * The zeros around the part prevent separators from being trimmed.
 */
function plainPart(text: string, isOpenInFront: boolean, isOpenAtEnd: boolean): string {
  const rest = isOpenInFront ? text : text.trimStart();
  return normalizeWord(`0${isOpenAtEnd ? rest : rest.trimEnd()}0`).slice(1, -1);
}
