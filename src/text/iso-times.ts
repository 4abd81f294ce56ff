import { zonedTime } from './zoned-time.ts';

/**
 * The same record with some of its epoch ms as ISO 8601 with an offset; a time that is not known, or that never
 * held anybody up (0), is null.
 *
 * @param timezone IANA name
 */
export function withIso<T extends object, K extends keyof T>(
  record: T,
  names: readonly K[],
  timezone: string,
): Omit<T, K> & Record<K, string | null> {
  const iso = zonedTime(timezone);
  const times = names.map((name) => {
    const ms = record[name];
    return [name, typeof ms === 'number' && ms > 0 ? iso(ms) : null];
  });
  return { ...record, ...(Object.fromEntries(times) as Record<K, string | null>) };
}
