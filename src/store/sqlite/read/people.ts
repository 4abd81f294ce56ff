import type { ExportCursor, PeoplePage, PeopleQuery } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { POSITIONS_PER_BLOCK, positionOf } from '../tables/lead-counts.ts';
import { POSITIONS_PER_LIST } from '../tables/lead-counts.ts';
import { blockStatements, type Block, type PeopleBlocks } from './people-blocks.ts';
import { peopleReader, type Found, type PeopleReader } from './people-reader.ts';
import { personRows } from './people-rows.ts';

const MOST_ROWS = 200;
/** So many blocks are read where the counts do not say which leads match, so that others are not kept waiting. */
const MOST_BLOCKS = 200;
/** The same where calls are read, too. */
const MOST_BLOCKS_WITH_CALLS = 50;

/** Pages of a campaign's leads: the counts of blocks say where those who match are, so that few leads are read. */
export function peopleStatements(sql: Sql) {
  const { blocksOf, peopleCounts, zonesOf } = blockStatements(sql);
  const rowsOf = personRows(sql);

  function people(query: PeopleQuery): PeoplePage {
    const { limit } = query;
    if (!(limit >= 1 && limit <= MOST_ROWS)) throw new RangeError(`a page has 1 to ${MOST_ROWS}`);
    const found = blocksOf(query);
    const reader = peopleReader(sql, query.campaignId, found.match);
    const way = wayOf(query, found);
    const { leads, stoppedAt } = walk(found, way, limit, reader);
    const page = leads.slice(0, limit);
    const ahead = leads.length > limit ? (page.at(-1)?.position ?? null) : stoppedAt;
    const behind = way.start === null && way.skip === 0 ? null : behindOf(page, found, way);
    if (way.isBackward) page.reverse();
    const { at, total } = placeOf(page, found, reader);
    const [next, previous] = way.isBackward ? [behind, ahead] : [ahead, behind];
    return {
      rows: rowsOf(page.map(({ row }) => row)),
      total,
      at,
      next: total === 0 || (at !== null && at + page.length === total) ? null : cursorOf(next),
      previous: total === 0 || at === 0 ? null : cursorOf(previous),
    };
  }

  return {
    people: sql.db.transaction(people),
    peopleCounts,
    zonesOf,
  } satisfies Partial<Methods>;
}

/** How the leads are gone through. */
interface Way {
  isBackward: boolean;
  /** Begins beyond this position; null: at the first lead. */
  start: number | null;
  /** So many of those who match are passed over. */
  skip: number;
  mostBlocks: number;
}

function wayOf({ from, sentiment }: PeopleQuery, { isExact }: PeopleBlocks): Way {
  const skip = from !== null && 'at' in from ? from.at : 0;
  const cursor = from !== null && 'cursor' in from ? from : null;
  const most = sentiment === undefined ? MOST_BLOCKS : MOST_BLOCKS_WITH_CALLS;
  return {
    isBackward: cursor?.direction === 'before',
    start: cursor === null ? null : positionOf(cursor.cursor),
    skip,
    mostBlocks: isExact || skip > 0 ? Infinity : most,
  };
}

/** One lead more than `limit`, if there are so many; `stoppedAt`: the position up to which was read, if not to the end. */
function walk(
  { blocks, isExact }: PeopleBlocks,
  { isBackward, start, mostBlocks, ...way }: Way,
  limit: number,
  { read }: PeopleReader,
): { leads: Found[]; stoppedAt: number | null } {
  const leads: Found[] = [];
  let { skip } = way;
  let edge: number | null = null;
  let blocksRead = 0;
  for (const block of isBackward ? blocks.toReversed() : blocks) {
    const [first, last] = rangeOf(block, isBackward, start);
    if (first > last) continue;
    if (leads.length > limit) break;
    if (isExact && skip >= block.leads) {
      skip -= block.leads;
      continue;
    }
    if (blocksRead === mostBlocks) return { leads, stoppedAt: edge };
    const some = read(first, last, isBackward, skip + limit + 1 - leads.length);
    leads.push(...some.slice(skip));
    skip = Math.max(0, skip - some.length);
    edge = isBackward ? first : last;
    blocksRead += 1;
  }
  return { leads, stoppedAt: null };
}

/** The positions of a block that lie on the way. */
function rangeOf({ first }: Block, isBackward: boolean, start: number | null) {
  const last = first + POSITIONS_PER_BLOCK - 1;
  if (start === null) return [first, last] as const;
  return isBackward
    ? ([first, Math.min(last, start - 1)] as const)
    : ([Math.max(first, start + 1), last] as const);
}

/** The position from which the way back begins: that of the page's first lead, or beyond where the page would be. */
function behindOf(page: readonly Found[], { blocks }: PeopleBlocks, way: Way): number {
  const [nearest] = page;
  if (nearest !== undefined) return nearest.position;
  if (way.start !== null) return way.isBackward ? way.start - 1 : way.start + 1;
  return (blocks.at(-1)?.first ?? 0) + POSITIONS_PER_BLOCK;
}

/** Where the page is among those who match, as far as counts say so. */
function placeOf(
  [first]: readonly Found[],
  { blocks, isExact }: PeopleBlocks,
  { count }: PeopleReader,
) {
  if (!isExact) return { at: null, total: null };
  const total = blocks.reduce((sum, { leads }) => sum + leads, 0);
  if (first === undefined) return { at: null, total };
  const { position } = first;
  const within = blocks.findIndex((block) => position < block.first + POSITIONS_PER_BLOCK);
  const before = blocks.slice(0, within).reduce((sum, { leads }) => sum + leads, 0);
  return { at: before + count(blocks[within]?.first ?? 0, position - 1), total };
}

function cursorOf(position: number | null): ExportCursor | null {
  if (position === null) return null;
  return {
    list: Math.floor(position / POSITIONS_PER_LIST),
    line: position % POSITIONS_PER_LIST,
  };
}
