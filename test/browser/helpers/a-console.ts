import { onTestFinished } from 'vitest';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import type { AtEnd } from '../../helpers/files/temp.ts';

/** A console in this process on an empty folder, until the test ends, or as `atEnd` says. */
export async function aConsole(
  given: Parameters<typeof startTestConsole>[0] = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestConsole> {
  const console = await startTestConsole(given);
  atEnd(() => console.close());
  return console;
}
