import type { Desk } from '../callsheet.ts';
import { change } from '../../store/sqlite/database.ts';

/** What a process leaves that is gone: no process of this machine's other boot lives. */
const GONE = JSON.stringify({ host: 'host-9', boot: 'boot-9', pid: 99, seenAt: 0 });

/** Leaves the newest list of a desk's database as an import does that is killed after its line `line`. */
export function breakOff(at: Desk, line: number): void {
  const newest = '(SELECT id FROM lists ORDER BY at DESC, number DESC LIMIT 1)';
  change(
    at.path('data/callsheet.db'),
    `UPDATE lists SET finished_at = NULL, importer = '${GONE}' WHERE id = ${newest};
     DELETE FROM leads WHERE list_id = ${newest} AND line > ${line};
     DELETE FROM lead_counts;
     INSERT INTO lead_counts (campaign_id, block, standing, leads)
       SELECT campaign_id, position / 1000, coalesce(result, state), count(*) FROM leads GROUP BY 1, 2, 3;
     DELETE FROM waiting_counts;
     INSERT INTO waiting_counts (campaign_id, zone_key, leads)
       SELECT campaign_id, zone_key, count(*) FROM leads WHERE state = 'waiting' GROUP BY 1, 2;`,
  );
}
