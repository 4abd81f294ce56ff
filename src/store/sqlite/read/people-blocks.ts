import { placeOf } from '../../../domain/calling/zone-key.ts';
import { LEAD_RESULTS, type LeadResult } from '../../../domain/lead.ts';
import type { PeopleCounts, PeopleQuery } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { POSITIONS_PER_BLOCK } from '../tables/lead-counts.ts';
import { POSITIONS_PER_LIST } from '../tables/lead-counts.ts';
import { peopleMatch, ROWS_OF_NUMBER, type PeopleMatch } from './people-match.ts';

/** Positions that are counted together, from `first` on, and how many leads that match have one of them. */
export interface Block {
  first: number;
  leads: number;
}

export interface PeopleBlocks {
  match: PeopleMatch;
  /** In ascending order; others have nobody who matches. */
  blocks: Block[];
  /** False: `leads` is the most that may match, as the counts do not say how many do. */
  isExact: boolean;
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
      sql.rows<[Record<string, unknown>], Block>(
        `SELECT block * ${POSITIONS_PER_BLOCK} AS first, sum(leads) AS leads FROM ${from}
           AND block BETWEEN @from AND @to GROUP BY block HAVING sum(leads) > 0 ORDER BY block`,
      )({
        ...match.given,
        campaignId,
        from: (list ?? 0) * BLOCKS_PER_LIST,
        to: (list ?? BLOCKS_PER_LIST) * BLOCKS_PER_LIST + BLOCKS_PER_LIST - 1,
      });
    if (match.number !== null) {
      const found = `(SELECT position / ${POSITIONS_PER_BLOCK} AS block, 1 AS leads FROM leads
        WHERE row IN (${ROWS_OF_NUMBER}) AND +campaign_id = @campaignId AND ${match.where}) WHERE 1`;
      return { match, blocks: select(found), isExact: true };
    }
    const isExact = match.accepts === null && sentiment === undefined;
    const stands = state !== undefined || result !== undefined;
    const byStanding = `lead_counts WHERE campaign_id = @campaignId${standingsOf(query)}`;
    if (zone === undefined) return { match, blocks: select(byStanding), isExact };
    const inZone = select(
      'zone_counts WHERE campaign_id = @campaignId AND zone_key IN (SELECT value FROM json_each(@zones))',
    );
    if (!stands) return { match, blocks: inZone, isExact };
    const standing = new Map(select(byStanding).map(({ first, leads }) => [first, leads]));
    const blocks = inZone.flatMap(({ first, leads }) => {
      const most = Math.min(leads, standing.get(first) ?? 0);
      return most > 0 ? [{ first, leads: most }] : [];
    });
    return { match, blocks, isExact: false };
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
