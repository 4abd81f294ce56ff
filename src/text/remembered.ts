/** How many answers are kept by default: a column of a list has the same few values in a million rows. */
const MOST_REMEMBERED = 1_000;

/** Wraps a function so that it remembers its answers, for texts that occur again and again. */
export function remembered<T>(
  read: (text: string) => T,
  most = MOST_REMEMBERED,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (known.has(text)) return known.get(text) as T;
    const answer = read(text);
    if (known.size < most) known.set(text, answer);
    return answer;
  };
}
