import type { ExportQuery, ExportRow, Snapshot } from '../../port.ts';
import { campaignTable } from '../tables/campaigns.ts';
import { openConnection } from '../file/connection.ts';
import { exportPages } from './export.ts';
import { explainFailure } from '../file/failures.ts';
import { leadTable } from '../tables/leads.ts';

/**
 * Reads a campaign in one read transaction, on a connection of its own: writers go on beside it, and their
 * log grows until this has ended.
 */
export async function readSnapshot<T>(
  path: string,
  campaignId: string,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const db = openConnection({ path, mode: 'read' });
  try {
    const begin = () => {
      db.exec('BEGIN');
      const campaign = campaignTable(db)
        .list()
        .find(({ id }) => id === campaignId);
      if (campaign === undefined) throw new Error(`no campaign has the id ${campaignId}`);
      return { campaign, lists: leadTable(db).lists(campaignId) };
    };
    // What `use` throws is no failure of the database.
    const pages = (query: ExportQuery) => explained(exportPages(db, campaignId, query), path);
    return await use({ ...attempt(begin, path), pages });
  } finally {
    db.close();
  }
}

async function* explained(
  pages: AsyncIterable<ExportRow[]>,
  path: string,
): AsyncGenerator<ExportRow[]> {
  try {
    yield* pages;
  } catch (error) {
    throw explainFailure(error, path);
  }
}

function attempt<T>(work: () => T, path: string): T {
  try {
    return work();
  } catch (error) {
    throw explainFailure(error, path);
  }
}
