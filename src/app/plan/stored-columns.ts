import type { Plan } from './plan.ts';
import { columnLines } from '../sentences/import-lines.ts';

/** So many rows of a list are shown. */
const SAMPLES = 3;

/**
 * Which column of its lists holds what, with the first rows' values, for a campaign that is begun with lists that
 * came in before: whoever says yes to it may not be who imported them.
 */
export async function storedColumnLines({
  store,
  campaign,
}: Pick<Plan, 'store' | 'campaign'>): Promise<string[]> {
  if (store === undefined || campaign?.state !== 'draft') return [];
  const lines: string[] = [];
  for (const { number, path, headers, mapping, finishedAt } of await store.lists(campaign.id)) {
    if (mapping === null || finishedAt === null) continue;
    const before = { list: number, line: 0 };
    const rows = await store.exportPage(campaign.id, before, SAMPLES, 'columns');
    const own = rows.filter(({ cursor }) => cursor.list === number);
    const samples = headers.map((_, index) =>
      own.map(({ cells }) => cells[index] ?? '').filter((cell) => cell !== ''),
    );
    lines.push(...columnLines({ path, headers, mapping, samples, warnings: [] }));
  }
  return lines;
}
