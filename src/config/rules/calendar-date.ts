/** Whether a text is a day of the calendar, written as `2026-12-24`; `2026-02-30` is none. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const day = match && Date.parse(`${text}T00:00:00Z`);
  return typeof day === 'number' && day >= 0 && new Date(day).toISOString().startsWith(text);
}
