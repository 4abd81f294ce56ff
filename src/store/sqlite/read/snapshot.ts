import type { ExportQuery, Snapshot } from '../../port.ts';
import { openConnection } from '../file/connection.ts';
import { explainFailure } from '../file/failures.ts';
import { sqlOf } from '../sql.ts';
import { campaignTable } from '../tables/campaigns.ts';
import { leadTable } from '../tables/leads.ts';
import { exportPages } from './export.ts';

/**
 * Reads a campaign in one read transaction, on a connection of its own: other writes go on meanwhile, and the
 * write-ahead log grows until the transaction has ended.
 */
export async function readSnapshot<T>(
  path: string,
  campaignId: string,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const db = openConnection({ path, mode: 'read' });
  const sql = sqlOf(db);
  // Only errors of these reads are explained: an error of `use` is not a failure of the database.
  async function* pages(query: ExportQuery) {
    try {
      yield* exportPages(sql, campaignId, query);
    } catch (error) {
      throw explainFailure(error, path);
    }
  }
  function begin() {
    try {
      db.exec('BEGIN');
      const campaigns = campaignTable(sql).reads.listCampaigns();
      const campaign = campaigns.find(({ id }) => id === campaignId);
      if (campaign === undefined) throw new Error(`no campaign has the id ${campaignId}`);
      return { campaign, lists: leadTable(sql).reads.lists(campaignId) };
    } catch (error) {
      throw explainFailure(error, path);
    }
  }
  try {
    return await use({ ...begin(), pages });
  } finally {
    db.close();
  }
}
