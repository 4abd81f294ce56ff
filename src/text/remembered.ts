/** How many answers are kept by default: a column of a list has the same few values in a million rows. */
const MOST_REMEMBERED = 1_000;

/** Characters: a longer text hardly occurs again, and a thousand of them would fill the memory. */
const LONGEST = 200;

/** Wraps a function so that it remembers its answers, for texts that occur again and again. */
export function remembered<T>(
  read: (text: string) => T,
  most = MOST_REMEMBERED,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const answer = read(text);
    if (known.size < most && text.length <= LONGEST) known.set(text, answer);
    return answer;
  };
}
