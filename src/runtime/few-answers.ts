import { setFlagsFromString } from 'node:v8';

/**
 * For a command that asks its service a thing or two: the parser of the answers (WebAssembly) is taken as it comes.
 * To compile it for speed takes a second of processor time, and 15 MB just when a list is in memory.
 */
export function expectFewAnswers(): void {
  setFlagsFromString('--liftoff-only');
}
