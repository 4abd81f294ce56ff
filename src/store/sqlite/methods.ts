import type { Store } from '../port.ts';

/** At most this many leads per transaction, so that a runner beside the import is not delayed. */
const MAX_LEADS_PER_TRANSACTION = 1_000;

/** The methods of a port as synchronous functions. */
export type MethodsOf<Port> = {
  [
    Name in keyof Port as Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
  ]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};
export type Methods = MethodsOf<Store>;

/** Makes methods of the port from synchronous functions; `run` runs each call. */
export function each<Name extends keyof Methods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<Methods, Name>,
): Pick<Store, Name> {
  type Work = (...args: unknown[]) => unknown;
  const methods = Object.entries(functions as Record<string, Work>).map(
    ([name, work]) => [name, (...args: unknown[]) => run(() => work(...args))] as const,
  );
  return Object.fromEntries(methods) as unknown as Pick<Store, Name>;
}

export function atMost<T>(some: readonly T[], what: keyof Methods): readonly T[] {
  if (some.length <= MAX_LEADS_PER_TRANSACTION) return some;
  throw new RangeError(`${what} takes at most ${MAX_LEADS_PER_TRANSACTION} at once`);
}
