/**
 * What an object itself holds under a name from outside; undefined otherwise. Plain access also finds what all objects
 * inherit, such as `constructor`.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
