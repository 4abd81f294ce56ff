import { nameIn } from '../../results/person-name.ts';
import { resultOf } from '../../results/rows.ts';
import { durationText } from '../../text/amounts.ts';
import { zonedTime } from '../../text/zoned-time.ts';
import type { Campaign, ExportRow, List } from '../../store/port.ts';

/**
 * A call that came to an end, as one line: `15:04:05 +12125550100 answered 42 s positive Al`, or as an object
 * a line.
 */
export function callLine(
  { settings }: Campaign,
  lists: readonly List[],
  { json }: { json: boolean },
): (row: ExportRow) => string {
  const time = zonedTime(settings.timezone);
  const byNumber = new Map(lists.map((list) => [list.number, list]));

  return (row) => {
    const { attempt, analytics, phone, cursor } = row;
    const at = attempt === null ? null : (attempt.settledAt ?? attempt.endedAt ?? attempt.intentAt);
    const result = attempt === null ? null : resultOf(attempt);
    const sentiment = analytics?.sentiment?.label ?? null;
    const durationMs = analytics?.durationMs ?? null;
    const name = nameIn(byNumber.get(cursor.list), row.cells);
    if (json) {
      return JSON.stringify({
        at: at === null ? null : time(at),
        phone,
        name,
        line: cursor.line,
        result,
        durationSeconds: durationMs === null ? null : durationMs / 1_000,
        sentiment,
        callId: attempt?.callId ?? null,
        attempt: attempt?.id ?? null,
        summary: analytics?.summary ?? null,
      });
    }
    const parts = [
      at === null ? '' : time(at).slice(11, 19),
      phone.padEnd(13),
      (result ?? '').padEnd(11),
      (durationMs === null ? '' : durationText(durationMs)).padStart(10),
      (sentiment ?? '').padEnd(8),
      name ?? '',
      analytics?.summary == null ? '' : `- ${analytics.summary.replaceAll(/\s+/g, ' ')}`,
    ];
    return parts.join('  ').trimEnd();
  };
}
