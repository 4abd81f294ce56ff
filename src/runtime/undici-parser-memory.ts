import { setFlagsFromString } from 'node:v8';

/**
 * For a command that asks its service a thing or two: the parser of the answers (WebAssembly) is taken as it comes.
 * Compiled for speed it takes 8 MB more just when a list is in memory: the import of a million rows would need more
 * than its 200 MB.
 */
export function expectFewAnswers(): void {
  setFlagsFromString('--liftoff-only');
}
