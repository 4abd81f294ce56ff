import type { CommandIo } from '../io.ts';

/** `--at`: when a campaign would begin, as a function of its timezone; undefined: it was not given. */
export function beginAt(
  at: string | undefined,
  io: CommandIo,
): ((timezone: string) => Promise<number>) | undefined {
  if (at === undefined) return undefined;
  return async (timezone) => {
    // The library of wall clocks is imported only here, because most commands do not need it.
    const { timeToday } = await import('./moments.ts');
    return timeToday('--at', at, io.clock.now(), timezone);
  };
}
