import type { ExportCursor } from '../../port.ts';
import type { Sql } from '../sql.ts';

/** Position = list number * this + line: leads of list n sort after those of list n - 1. No list has more lines. */
export const POSITIONS_PER_LIST = 10_000_000_000;

/** So many positions are counted together; the triggers of the schema count by the same blocks. */
export const POSITIONS_PER_BLOCK = 1_000;

/** The tables `lead_counts` and `zone_counts`: new leads are counted here, what becomes of them by triggers. */
export function leadCounts(sql: Sql) {
  const addWaiting = sql.run<[campaignId: string, block: number, leads: number]>(
    `INSERT INTO lead_counts (campaign_id, block, standing, leads) VALUES (?, ?, 'waiting', ?)
     ON CONFLICT DO UPDATE SET leads = leads + excluded.leads`,
  );
  const addInZone = sql.run<[campaignId: string, block: number, zoneKey: string, leads: number]>(
    `INSERT INTO zone_counts (campaign_id, block, zone_key, leads) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET leads = leads + excluded.leads`,
  );

  /** Counts leads that were inserted as waiting, in the same transaction; a batch of them costs little. */
  return (campaignId: string, leads: readonly { position: number; zoneKey: string }[]): void => {
    const blocks = new Map<number, Map<string, number>>();
    for (const { position, zoneKey } of leads) {
      const block = Math.floor(position / POSITIONS_PER_BLOCK);
      const zones = blocks.get(block) ?? new Map<string, number>();
      zones.set(zoneKey, (zones.get(zoneKey) ?? 0) + 1);
      blocks.set(block, zones);
    }
    for (const [block, zones] of blocks) {
      let waiting = 0;
      for (const [zoneKey, count] of zones) {
        addInZone(campaignId, block, zoneKey, count);
        waiting += count;
      }
      addWaiting(campaignId, block, waiting);
    }
  };
}

/** The position of a row: leads are in the order of their lists and lines. */
export function positionOf({ list, line }: ExportCursor): number {
  return list * POSITIONS_PER_LIST + line;
}
