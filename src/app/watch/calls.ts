import { placeOf } from '../../domain/calling/zone-key.ts';
import { nameIn, resultOf } from '../../results/columns.ts';
import type { Campaign, ExportRow, List } from '../../store/port.ts';
import { timesIn } from '../../text/times.ts';
import type { Call, CalledPerson } from '../../views/calls.ts';

/** A function that makes the view of the call of a row; null: the row has none. @param timezone IANA name */
export function callViews(timezone: string): (row: ExportRow) => Call | null {
  const time = timesIn(timezone);
  return ({ attempt, analytics, capturedLeads }) => {
    if (attempt === null) return null;
    const { said, intentAt, endedAt, settledAt, evidence, ...rest } = attempt;
    const { turns = [], durationMs = null, cost = null, costCurrency = null } = analytics ?? {};
    return {
      ...rest,
      result: resultOf(attempt),
      intentAt: time(intentAt),
      endedAt: time(endedAt),
      settledAt: time(settledAt),
      durationSeconds: durationMs === null ? null : durationMs / 1_000,
      sentiment: analytics?.sentiment ?? null,
      cost: cost === null ? null : { amount: cost, currency: costCurrency ?? '' },
      outcome: said,
      summary: analytics?.summary ?? null,
      transcript: analytics?.transcript ?? null,
      turns,
      recordingUrl: webAddress(analytics?.recordingUrl ?? null),
      capturedLeads,
      extracted: analytics?.extracted ?? null,
      raw: analytics?.raw ?? null,
      evidence: evidence as Call['evidence'],
    };
  };
}

/** The address if a browser may open it: it comes from the service, and could be one that runs something. */
function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

/** A function that makes the view of a row: the person, and the call that it is about. */
export function calledPeople(
  { settings }: Pick<Campaign, 'settings'>,
  lists: readonly List[],
): (row: ExportRow) => CalledPerson {
  const call = callViews(settings.timezone);
  const byNumber = new Map(lists.map((list) => [list.number, list]));
  return (row) => {
    const { phone, cells, cursor, zoneKey, state, result, resultSource, reason } = row;
    return {
      ...{ phone, name: nameIn(byNumber.get(cursor.list), cells), list: cursor.list },
      ...{ line: cursor.line, zones: [...placeOf(zoneKey).zones] },
      ...{ state, result, resultSource, reason, call: call(row) },
    };
  };
}
