import type { ExportCursor, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { Plan } from './plan.ts';
import { counted } from '../../text/plural.ts';
import { unfinishedError } from './unfinished-import.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Ends an import that was broken off, for another list in its place: who came by it leaves, and comes back with
 * the list that follows. Nobody of it was called: no campaign is while it has an open import.
 *
 * @throws AppError `LIST_UNFINISHED` while another process is at it
 */
export async function giveUpImport(plan: Plan, world: World): Promise<void> {
  const { unfinished, campaign, store } = plan;
  if (unfinished === undefined || campaign === undefined || store === undefined) return;
  if (unfinished.is === 'going_on') throw unfinishedError(unfinished, campaign);
  const { list } = unfinished;
  const { leads, left } = await leaveAll(store, campaign.id, list.number);
  await store.finishList(list.id, { good: leads, rejected: 0, duplicates: 0 });
  const detail = { list: list.path, leads, cancelled: left };
  const entry = { at: world.clock.now(), who: world.user, what: 'list.givenUp', detail };
  await store.addHistory(campaign.id, entry);
  world.tell(`The import of ${list.path} is given up; ${counted(left, 'lead')} of it left.`);
  plan.unfinished = undefined;
}

async function leaveAll(store: Store, campaignId: string, list: number) {
  let leads = 0;
  let left = 0;
  let after: ExportCursor | null = { list, line: 0 };
  while (after !== null) {
    const page = await store.exportPage(campaignId, after, ROWS_AT_ONCE, 'columns');
    const ours = page.filter(({ cursor }) => cursor.list === list);
    leads += ours.length;
    const waiting = ours.filter(({ state }) => state === 'waiting').map(({ phone }) => phone);
    if (waiting.length > 0) left += await store.cancelWaiting(campaignId, waiting, 'left_list');
    after = ours.length === ROWS_AT_ONCE ? (ours.at(-1)?.cursor ?? null) : null;
  }
  return { leads, left };
}
