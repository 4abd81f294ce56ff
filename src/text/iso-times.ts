import { zonedTime } from './zoned-time.ts';

/**
 * The record with some of its epoch ms as ISO 8601 with an offset. An unknown time is null, and so is 0, which stands
 * for a lead that never had to wait.
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
