/** No service nests its answers so deeply; a deeper one is made to overflow the stack of whoever walks through it. */
export const DEEPEST = 200;

/** The value of a JSON text, or undefined (which JSON cannot say) when it is none, or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Each level takes two characters at least: most answers are too short to be nested too deeply.
    return text.length > 2 * DEEPEST && isDeeper(value, DEEPEST) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
