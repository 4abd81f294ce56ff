/** So many answers are kept: a column of a list says the same few things a million times. */
const MOST_REMEMBERED = 1_000;

/** A function that keeps its answers, for texts that come again and again. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (known.has(text)) return known.get(text) as T;
    const answer = read(text);
    if (known.size < MOST_REMEMBERED) known.set(text, answer);
    return answer;
  };
}
