/** Percent-encoded text as it is read; left alone where it is no valid encoding. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
