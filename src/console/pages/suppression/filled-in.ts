/** The fields of a form that hold something, without spaces around it: what is empty is left out of a request. */
export function filledIn<F extends string>(typed: Readonly<Record<F, string>>) {
  return Object.fromEntries(
    Object.entries<string>(typed)
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as Partial<Record<F, string>>;
}
