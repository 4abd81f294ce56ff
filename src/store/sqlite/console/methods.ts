import type { ConsoleStore } from '../../console.ts';
import { each, type MethodsOf } from '../methods.ts';

/** The port's methods as synchronous functions, which are all that the tables have to provide. */
export type ConsoleMethods = MethodsOf<Omit<ConsoleStore, 'close'>>;

/** Makes methods of the port from synchronous functions; `run` runs each call. */
export const asMethods = each as unknown as <Name extends keyof ConsoleMethods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<ConsoleMethods, Name>,
) => Pick<ConsoleStore, Name>;
