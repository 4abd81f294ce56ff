import type { Sql } from '../sql.ts';
import type { PeopleMatch } from './people-match.ts';

/** A lead's row in the database, and its position in the order of lists. */
export interface Found {
  row: number;
  position: number;
}

/** Reads leads of a campaign that match, between two positions (both included). */
export function peopleReader(sql: Sql, campaignId: string, { where, given, accepts }: PeopleMatch) {
  const columns = accepts === null ? 'row, position' : 'row, position, phone, cells';
  const range = `FROM leads WHERE campaign_id = @campaignId AND position BETWEEN @from AND @to AND ${where}`;
  const inOrder = (order: 'ASC' | 'DESC') =>
    sql.rows<[Record<string, unknown>], Found & { phone: string; cells: string }>(
      `SELECT ${columns} ${range} ORDER BY position ${order} LIMIT @most`,
    );
  const [ascending, descending] = [inOrder('ASC'), inOrder('DESC')];
  const countRange = sql.value<[Record<string, unknown>], number>(`SELECT count(*) ${range}`);

  return {
    /** At most `most`; backward: the last come first. */
    read: (from: number, to: number, isBackward: boolean, most: number): Found[] => {
      const select = isBackward ? descending : ascending;
      const range = { ...given, campaignId, from, to };
      return accepts === null
        ? select({ ...range, most })
        : select({ ...range, most: -1 })
            .filter(accepts)
            .slice(0, most);
    },
    /** Only what SQL compares; see `PeopleMatch.accepts`. */
    count: (from: number, to: number): number =>
      countRange({ ...given, campaignId, from, to }) ?? 0,
  };
}

export type PeopleReader = ReturnType<typeof peopleReader>;
