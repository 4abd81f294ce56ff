import type { PeoplePage, PeopleQuery } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { POSITIONS_PER_BLOCK, POSITIONS_PER_LIST, positionOf } from '../tables/lead-counts.ts';
import { blockStatements } from './people-blocks.ts';
import type { PeopleMatch } from './people-match.ts';
import { personRows } from './people-rows.ts';

const MOST_ROWS = 200;
/** So many blocks are read where the counts do not say which leads match, so that others are not kept waiting. */
const MOST_BLOCKS = 200;
/** The same where calls are read, too. */
const MOST_BLOCKS_WITH_CALLS = 50;

/** A lead's row in the database, and its position in the order of lists. */
interface Found {
  row: number;
  position: number;
}

/** Pages of a campaign's leads: the counts of blocks say where those who match are, so that few leads are read. */
export function peopleStatements(sql: Sql) {
  const { blocksOf, peopleCounts, zonesOf } = blockStatements(sql);
  const rowsOf = personRows(sql);

  function people(query: PeopleQuery): PeoplePage {
    const { campaignId, after, limit, sentiment } = query;
    if (!(limit >= 1 && limit <= MOST_ROWS)) throw new RangeError(`a page has 1 to ${MOST_ROWS}`);
    const { match, blocks, total } = blocksOf(query);
    const read = reader(sql, campaignId, match);
    const most = sentiment === undefined ? MOST_BLOCKS : MOST_BLOCKS_WITH_CALLS;
    const start = after === null ? 0 : positionOf(after) + 1;
    const ahead = blocks.filter((first) => first + POSITIONS_PER_BLOCK > start);
    const now = total === null ? ahead.slice(0, most) : ahead;
    // One more than the page has: it says whether anybody follows.
    const leads: Found[] = [];
    for (const first of now) {
      if (leads.length > limit) break;
      const last = first + POSITIONS_PER_BLOCK - 1;
      leads.push(...read(Math.max(first, start), last, limit + 1 - leads.length));
    }
    const page = leads.slice(0, limit);
    const isShort = leads.length <= limit;
    const readTo = now.length < ahead.length ? (now.at(-1) ?? 0) + POSITIONS_PER_BLOCK - 1 : null;
    const next = isShort ? readTo : (page.at(-1)?.position ?? null);
    return { rows: rowsOf(page.map(({ row }) => row)), total, next: cursorOf(next) };
  }

  return {
    people: sql.db.transaction(people),
    peopleCounts,
    zonesOf,
  } satisfies Partial<Methods>;
}

/** Reads at most `most` leads of a campaign that match, between two positions (both included). */
function reader(sql: Sql, campaignId: string, { where, given, accepts }: PeopleMatch) {
  const columns = accepts === null ? 'row, position' : 'row, position, phone, cells';
  const select = sql.rows<[Record<string, unknown>], Found & { phone: string; cells: string }>(
    `SELECT ${columns} FROM leads WHERE campaign_id = @campaignId AND position BETWEEN @from AND @to
       AND ${where} ORDER BY position LIMIT @most`,
  );
  return (from: number, to: number, most: number): Found[] => {
    const range = { ...given, campaignId, from, to };
    if (accepts === null) return select({ ...range, most });
    return select({ ...range, most: -1 })
      .filter(accepts)
      .slice(0, most);
  };
}

function cursorOf(position: number | null) {
  if (position === null) return null;
  return {
    list: Math.floor(position / POSITIONS_PER_LIST),
    line: position % POSITIONS_PER_LIST,
  };
}
