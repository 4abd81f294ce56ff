import { placeOf } from '../../../domain/calling/zone-key.ts';
import { LEAD_RESULTS, type LeadResult } from '../../../domain/lead.ts';
import type { PeopleCounts, PeopleQuery } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { POSITIONS_PER_BLOCK, POSITIONS_PER_LIST } from '../tables/lead-counts.ts';
import { peopleMatch, ROWS_OF_NUMBER, type PeopleMatch } from './people-match.ts';

/** Where leads that match are. */
export interface PeopleBlocks {
  match: PeopleMatch;
  /** The first position of each block, in ascending order; other blocks have nobody who matches. */
  blocks: number[];
  /** How many match; null: the counts do not say it, and a block may have nobody. */
  total: number | null;
}

/** Finds the blocks with leads that match, and totals, by kept counts; only a number is looked up among the leads. */
export function blockStatements(sql: Sql) {
  const selectZones = sql.rows<[campaignId: string], { zoneKey: string; people: number }>(
    `SELECT zone_key AS zoneKey, sum(leads) AS people FROM zone_counts WHERE campaign_id = ?
       GROUP BY zone_key HAVING people > 0 ORDER BY people DESC, zoneKey`,
  );
  const selectStandings = sql.rows<
    [{ campaignId: string }],
    { list: number; standing: string; people: number }
  >(
    `SELECT block / ${BLOCKS_PER_LIST} AS list, standing, sum(leads) AS people FROM lead_counts
       WHERE campaign_id = @campaignId GROUP BY list, standing HAVING people > 0`,
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
        WHERE row IN (${ROWS_OF_NUMBER}) AND +campaign_id = @campaignId AND ${match.where}) WHERE 1`;
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
