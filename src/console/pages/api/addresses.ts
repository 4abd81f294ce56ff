/** Where the pages came from; asked for with every request, so that a `<base>` could not send requests elsewhere. */
export const pageOrigin = location.origin;

/** A path of the API or of a page, its values encoded: path`/campaigns/${name}/pause`. */
export function path(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce((whole, text, i) => {
    const value = values[i - 1] ?? '';
    return `${whole}${encodeURIComponent(value)}${text}`;
  });
}

/** `?a=1&b=x` of what is set; empty where nothing is. */
export function query(
  values: Record<string, string | number | boolean | readonly string[] | null | undefined>,
): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(key, String(one));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
