import { placeOf } from '../../../domain/calling/zone-key.ts';
import { LEAD_RESULTS, type LeadResult } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import type {
  PeopleCounts,
  PeopleFilter,
  PeoplePage,
  PeopleQuery,
  PersonRow,
  PhoneFacts,
} from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import { positionOf, POSITIONS_PER_BLOCK, POSITIONS_PER_LIST } from '../tables/lead-ends.ts';
import { whyOf } from '../tables/suppression.ts';
import type { Tables } from '../tables/tables.ts';
import { BEST_ATTEMPT, BEST_SEQ } from './export-rows.ts';
import { comparable, digitsOf, haveWords, patternOf, SHORTEST_NUMBER } from './search.ts';

/** Looks up numbers before their rows are imported: suppression, leads of the campaign and of other campaigns. */
export function phoneFactStatements(sql: Sql, { leads, suppression }: Tables) {
  const selectOthers = sql.tuples<[campaignId: string], [id: string, name: string]>(
    `SELECT id, name FROM campaigns
     WHERE kind = 'list' AND state IN ('draft', 'running', 'paused') AND id <> ? ORDER BY created_at`,
  );

  function findElsewhere(others: [string, string][], phone: E164): PhoneFacts['elsewhere'] {
    for (const [id, campaign] of others) {
      const found = leads.holderOf(id, phone);
      if (found !== undefined) return { campaign, line: found.line, list: found.list };
    }
    return null;
  }

  return {
    lookUpPhones: ({ campaignId, phones, now }) => {
      const entryOf = suppression.at(now);
      const others = selectOthers(campaignId ?? '');
      return phones.map((phone) => {
        const entry = entryOf(phone);
        return {
          suppressed: entry === undefined ? null : whyOf(entry),
          known: (campaignId === null ? undefined : leads.holderOf(campaignId, phone)) ?? null,
          elsewhere: findElsewhere(others, phone),
        };
      });
    },
  } satisfies Partial<Methods>;
}

const MOST_ROWS = 200;
/** Most blocks read where the counts do not tell which leads match, so that other work need not wait. */
const MOST_BLOCKS = 200;
/** The same where calls are read, too. */
const MOST_BLOCKS_WITH_CALLS = 50;

/** A lead's row in the database, and its position in the order of lists. */
interface Found {
  row: number;
  position: number;
}

/** Pages of a campaign's leads; the counts of blocks tell where matching leads are, so few are read. */
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
    // One lead more than the page has shows whether there is a next page.
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
    people: sql.atOneMoment(people),
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
    return select({ ...range, most: POSITIONS_PER_BLOCK })
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

/** Fewest digits that may be a part of a number; fewer are only searched in cells. */
const FEWEST_DIGITS = 3;

/** Conditions on columns of `leads`, and a test for what SQL cannot compare. */
interface PeopleMatch {
  /** Joined by AND; `true` for everybody. */
  where: string;
  given: Record<string, string>;
  /** The beginning of the number searched for, e.g. `+12125550100`; null: none. `where` has it, too. */
  number: string | null;
  /** Of leads that fulfil `where`; null: all of them. */
  accepts: ((lead: { phone: string; cells: string }) => boolean) | null;
}

/** @param zoneKeys the keys of the places that `filter.zone` names */
function peopleMatch(filter: PeopleFilter, zoneKeys: readonly string[]): PeopleMatch {
  const { state, result, zone, sentiment, isWhole = false } = filter;
  const text = (filter.text ?? '').trim();
  const number = numberOf(text);
  const parts = number === null && text !== '' ? partsOf(text) : null;
  const conditions = [
    state !== undefined && 'leads.state = @state',
    result !== undefined && 'leads.result = @result',
    zone !== undefined && 'leads.zone_key IN (SELECT value FROM json_each(@zones))',
    sentiment !== undefined && HAS_SENTIMENT,
    number !== null && HAS_NUMBER,
    parts !== null && parts.where,
  ].filter((condition) => condition !== false);
  const given = {
    ...(state !== undefined && { state }),
    ...(result !== undefined && { result }),
    ...(zone !== undefined && { zones: JSON.stringify(zoneKeys) }),
    ...(sentiment !== undefined && { sentiment: sentiment.toLowerCase() }),
    ...(number !== null && { number, beyond: `${number}${isWhole ? '!' : ':'}` }),
    ...parts?.given,
  };
  const where =
    conditions.length === 0 ? 'true' : conditions.map((one) => `(${one})`).join(' AND ');
  return { where, given, number, accepts: parts?.accepts ?? null };
}

/** The rows of leads with a number between `@number` and `@beyond`, of all campaigns where it is a further one. */
const ROWS_OF_NUMBER = `SELECT row FROM leads AS numbered
    WHERE numbered.campaign_id = @campaignId AND numbered.phone >= @number AND numbered.phone < @beyond
  UNION SELECT lead_row FROM lead_numbers WHERE phone >= @number AND phone < @beyond`;

const HAS_NUMBER = `leads.row IN (${ROWS_OF_NUMBER})`;

const HAS_SENTIMENT = `leads.spent > 0 AND EXISTS (SELECT 1 FROM analytics INDEXED BY analytics_by_label
  WHERE attempt_seq = ${BEST_SEQ} AND sentiment_label = @sentiment)`;

function numberOf(text: string): string | null {
  const digits = digitsOf(text);
  return text.startsWith('+') && digits.length >= SHORTEST_NUMBER ? `+${digits}` : null;
}

/** Words in cells, or digits in the number, also with a zero in place of the country code. */
function partsOf(text: string) {
  const typed = text.normalize('NFC').split(/\s+/);
  const [longest = ''] = typed.toSorted((a, b) => b.length - a.length);
  const words = typed.map(comparable);
  const digits = digitsOf(text).replace(/^0+/, '');
  const mayBeNumber = digits.length >= FEWEST_DIGITS;
  const inCells = "leads.cells LIKE @pattern ESCAPE '\\'";
  return {
    where: mayBeNumber ? `${inCells} OR leads.phone LIKE @digits` : inCells,
    given: { pattern: patternOf(longest), ...(mayBeNumber && { digits: `%${digits}%` }) },
    accepts: ({ phone, cells }: { phone: string; cells: string }) =>
      (mayBeNumber && phone.includes(digits)) || haveWords(JSON.parse(cells) as string[], words),
  };
}

interface PeopleBlocks {
  match: PeopleMatch;
  /** The first position of each block, in ascending order; other blocks have nobody who matches. */
  blocks: number[];
  /** Matching leads; null: the counts do not tell, and a block may have none. */
  total: number | null;
}

/** Finds blocks with matching leads, and totals, from the counts; only numbers are looked up in the leads. */
function blockStatements(sql: Sql) {
  const selectZones = sql.rows<[campaignId: string], { zoneKey: string; people: number }>(
    `SELECT zone_key AS zoneKey, sum(leads) AS people FROM zone_counts WHERE campaign_id = ?
       GROUP BY zone_key HAVING sum(leads) > 0 ORDER BY people DESC, zoneKey`,
  );
  const selectStandings = sql.rows<
    [{ campaignId: string }],
    { list: number; standing: string; people: number }
  >(
    `SELECT block / ${BLOCKS_PER_LIST} AS list, standing, sum(leads) AS people FROM lead_counts
       WHERE campaign_id = @campaignId GROUP BY list, standing HAVING sum(leads) > 0`,
  );

  function zoneKeysOf(campaignId: string, zone: string): string[] {
    const all = selectZones(campaignId).map(({ zoneKey }) => zoneKey);
    return all.filter((key) => key === zone || placeOf(key).zones.includes(zone));
  }

  function blocksOf(query: PeopleQuery): PeopleBlocks {
    const { campaignId, list, zone, state, result, sentiment } = query;
    const match = peopleMatch(query, zone === undefined ? [] : zoneKeysOf(campaignId, zone));
    const select = (from: string) =>
      sql.rows<[Record<string, unknown>], { first: number; leads: number }>(
        `SELECT block * ${POSITIONS_PER_BLOCK} AS first, sum(leads) AS leads FROM ${from}
           AND block BETWEEN @from AND @to GROUP BY block HAVING sum(leads) > 0 ORDER BY block`,
      )({
        ...match.given,
        campaignId,
        from: (list ?? 0) * BLOCKS_PER_LIST,
        to: (list ?? BLOCKS_PER_LIST) * BLOCKS_PER_LIST + BLOCKS_PER_LIST - 1,
      });
    const counted = (some: { first: number; leads: number }[]): PeopleBlocks => ({
      match,
      blocks: some.map(({ first }) => first),
      total: some.reduce((sum, { leads }) => sum + leads, 0),
    });
    if (match.number !== null) {
      const found = `(SELECT position / ${POSITIONS_PER_BLOCK} AS block, 1 AS leads FROM leads
        WHERE row IN (${ROWS_OF_NUMBER}) AND campaign_id || '' = @campaignId AND ${match.where}) AS found WHERE true`;
      return counted(select(found));
    }
    const byStanding = `lead_counts WHERE campaign_id = @campaignId${standingsOf(query)}`;
    const inZone =
      'zone_counts WHERE campaign_id = @campaignId AND zone_key IN (SELECT value FROM json_each(@zones))';
    const stands = state !== undefined || result !== undefined;
    const found = counted(select(zone === undefined ? byStanding : inZone));
    if (zone !== undefined && stands) {
      const standing = new Set(select(byStanding).map(({ first }) => first));
      return { ...found, blocks: found.blocks.filter((first) => standing.has(first)), total: null };
    }
    return match.accepts === null && sentiment === undefined ? found : { ...found, total: null };
  }

  function peopleCounts(campaignId: string): PeopleCounts {
    const counts: PeopleCounts = {
      total: 0,
      byList: [],
      byState: { waiting: 0, calling: 0, done: 0 },
      byResult: {},
    };
    for (const { list, standing, people } of selectStandings({ campaignId })) {
      counts.total += people;
      if (counts.byList.at(-1)?.list !== list) counts.byList.push({ list, people: 0 });
      const ofList = counts.byList.at(-1);
      if (ofList !== undefined) ofList.people += people;
      counts.byState[isState(standing) ? standing : 'done'] += people;
      if (isResult(standing)) counts.byResult[standing] = (counts.byResult[standing] ?? 0) + people;
    }
    return counts;
  }

  return { blocksOf, peopleCounts, zonesOf: selectZones };
}

const BLOCKS_PER_LIST = POSITIONS_PER_LIST / POSITIONS_PER_BLOCK;

/** A condition on the standing, which is the result of leads that are done, else the state. */
function standingsOf({ state, result }: PeopleQuery): string {
  const isDone = " AND standing <> 'waiting' AND standing <> 'calling'";
  const byState = state === undefined ? '' : state === 'done' ? isDone : ' AND standing = @state';
  return `${byState}${result === undefined ? '' : ' AND standing = @result'}`;
}

function isState(standing: string): standing is 'waiting' | 'calling' {
  return standing === 'waiting' || standing === 'calling';
}

function isResult(standing: string): standing is LeadResult {
  return (LEAD_RESULTS as readonly string[]).includes(standing);
}

function personRows(sql: Sql) {
  const select = sql.rows<[rows: string], Row>(
    `SELECT leads.position, leads.phone, leads.cells, leads.line, leads.state, leads.result, leads.reason,
       leads.spent AS attempts, leads.zone_key AS zoneKey, leads.not_before AS notBefore,
       (SELECT max(intent_at) FROM attempts WHERE lead_row = leads.row AND state <> 'released') AS lastAttemptAt,
       (SELECT result FROM attempts WHERE lead_row = leads.row AND state <> 'released' ORDER BY seq DESC LIMIT 1) AS lastResult,
       analytics.sentiment_label AS sentiment, analytics.duration_ms / 1000.0 AS durationSeconds
     FROM leads LEFT JOIN ${BEST_ATTEMPT}
     WHERE leads.row IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) ORDER BY leads.position`,
    { json: ['cells'] },
  );
  return (rows: readonly number[]): PersonRow[] =>
    select(JSON.stringify(rows)).map(({ position, ...row }) => {
      const list = Math.floor(position / POSITIONS_PER_LIST);
      return { cursor: { list, line: row.line }, list, ...row };
    });
}

type Row = Omit<PersonRow, 'cursor' | 'list'> & { position: number };
