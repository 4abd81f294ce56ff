/** A campaign waits no longer than this, even if the service asks for more. */
const LONGEST_MS = 3_600_000;

/**
 * How long a Retry-After header asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3 and 5.6.7).
 *
 * @param now epoch ms
 * @returns 0 to 3,600,000 ms; null when there is no header, or when it is neither seconds nor a date
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : dateMs(text) - now;
  return Number.isNaN(ms) ? null : Math.round(Math.min(Math.max(ms, 0), LONGEST_MS));
}

/** HTTP dates begin with a weekday; `Date.parse` also accepts much text that is not an HTTP date. */
function dateMs(text: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
