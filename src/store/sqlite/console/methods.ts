import type { ConsoleStore } from '../../console.ts';

/** The port's methods as synchronous functions, which are all that the tables have to provide. */
export type ConsoleMethods = {
  [Name in keyof Omit<ConsoleStore, 'close'>]: ConsoleStore[Name] extends (
    ...args: infer Args
  ) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/** Makes methods of the port from synchronous functions; `run` runs each call. */
export function asMethods<Name extends keyof ConsoleMethods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<ConsoleMethods, Name>,
): Pick<ConsoleStore, Name> {
  type Work = (...args: unknown[]) => unknown;
  const methods = Object.entries(functions as Record<string, Work>).map(
    ([name, work]) => [name, (...args: unknown[]) => run(() => work(...args))] as const,
  );
  return Object.fromEntries(methods) as unknown as Pick<ConsoleStore, Name>;
}
