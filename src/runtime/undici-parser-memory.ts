import { setFlagsFromString } from 'node:v8';

/**
 * For a command that sends its service only a few requests: keeps V8 from optimising the parser of the answers
 * (WebAssembly). The optimisation takes 8 MB more while a list is in memory, and the import of a million rows would
 * exceed its limit of 200 MB.
 */
export function expectFewAnswers(): void {
  setFlagsFromString('--liftoff-only');
}
