import { onTestFinished } from 'vitest';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';

/** A console in this process on an empty folder, until the test ends. */
export async function aConsole(
  given: Parameters<typeof startTestConsole>[0] = {},
): Promise<TestConsole> {
  const console = await startTestConsole(given);
  onTestFinished(() => console.close());
  return console;
}
