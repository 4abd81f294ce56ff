/** No service nests answers this deeply; a deeper answer is meant to overflow the stack of the code that reads it. */
export const DEEPEST = 200;

/** The value of a JSON text; undefined (which is not a JSON value) if it is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Each level takes at least two characters, so most answers are too short to be nested too deeply.
    return text.length > 2 * DEEPEST && isDeeper(value, DEEPEST) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
