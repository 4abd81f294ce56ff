/** True for an IANA time zone such as `America/New_York`, which knows summer time. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Newer versions of JavaScript also take an offset such as +05:30, which knows no summer time.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
