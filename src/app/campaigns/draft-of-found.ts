import { LEAD_RESULTS } from '../../domain/lead.ts';
import type { ChosenReading } from '../../domain/lists/list-mapping.ts';
import { alignMapping, chosenIn } from '../../leads/columns/remembered-mapping.ts';
import { ownColumns, type Column } from '../../results/columns.ts';
import { csvFormat } from '../../results/format.ts';
import { usageError } from '../../runtime/errors.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { List } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import { keepUpload, type UploadPlace } from '../lists/uploads.ts';
import {
  findCampaign,
  withCampaign,
  type CampaignRequest,
  type OpenCampaign,
} from '../places/databases.ts';
import { nobodyChoseRules } from '../rules/rules.ts';
import { everybody, type Among } from '../watch/people.ts';
import type { World } from '../world.ts';
import { notLine, type LeftOut } from './chosen-people.ts';
import { createDraft } from './drafts.ts';

/**
 * Makes a draft of the people who match, with the settings of their campaign: their rows are its list, which is read
 * and imported like any other. Left out is who is still to be called by their campaign, and who must not be called again.
 *
 * @returns how many are on its list, and its name
 */
export async function draftOfFound(
  access: ConsoleStore,
  uploads: UploadPlace,
  { among, ...request }: CampaignRequest & { among: Among },
  world: World,
): Promise<{ people: number; draft: string }> {
  const counts: Counts = { people: 0, left: new Map() };
  const { id, like } = await withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const { name, settings, service, simulated } = campaign;
    const lists = await store.lists(campaign.id);
    const body = rowsOf(open, among, lists, counts);
    const sent = { name: `${name}-again.csv`, bytes: undefined, body };
    const { id } = await keepUpload(access, uploads, sent, world);
    // Its lists and results are its own, and most of its people were called before.
    const own = { ...settings, results: { ...settings.results, file: null } };
    delete own.sources;
    delete own.skipCalled;
    const rulesFrom = (await nobodyChoseRules(campaign, store)) ? 'default' : 'file';
    const { columns } = readingsOf(lists);
    const detail = { rulesFrom, from: name, people: counts.people };
    return { id, like: { service, simulated, settings: own, columns, detail } };
  });
  const place = (await findCampaign(request.campaign, request, world))?.place;
  const made = { ...request, uploads: [id], like: { ...like, place } };
  const draft = await createDraft(access, made, world);
  const are = counted(counts.people, 'person is', 'people are');
  world.tell(
    `${are} on the list of the new campaign "${draft}", which has the settings of "${request.campaign}" and calls nobody before it is started.`,
  );
  if (counts.left.size > 0) world.tell(notLine('found', counts.left));
  return { people: counts.people, draft };
}

interface Counts {
  people: number;
  left: LeftOut;
}

/** Rows of CSV under the columns of all lists, a page at a time. @throws AppError `RETRY_NOT_ALLOWED` without any */
async function* rowsOf(
  { store, campaign, world }: OpenCampaign,
  among: Among,
  lists: readonly List[],
  counts: Counts,
): AsyncGenerator<Buffer> {
  const own = ownColumns(lists);
  const { ignored } = readingsOf(lists);
  const columns = own.headers.map((name, i): Column<string[]> => {
    return { kind: 'own', name, value: (cells) => cells[i] ?? '' };
  });
  let text = '';
  const writer = await csvFormat(columns, async (chunk) => {
    text += String(chunk);
  });
  const { total } = await store.peopleCounts(campaign.id);
  const progress = world.progress('People found');
  let done = 0;
  for await (const rows of everybody(among, { store, campaign, world })) {
    const query = { results: LEAD_RESULTS, upTo: null, now: world.clock.now() };
    const phones = rows.map(({ phone }) => phone);
    const { leads } = await store.mayRetry(campaign.id, phones, query);
    const nots = new Map(leads.map(({ phone, not }) => [phone, not]));
    const taken = rows.filter(({ phone, state }) => {
      const isOver = state === 'done' || (state === 'waiting' && campaign.state === 'cancelled');
      const not = isOver ? nots.get(phone) : 'waits';
      // Others may call whom this campaign does not call any more.
      if (not == null || not === 'withdrawn') return true;
      counts.left.set(not, (counts.left.get(not) ?? 0) + 1);
      return false;
    });
    counts.people += taken.length;
    progress.onProgress({ done: (done += rows.length), total });
    await writer.add(
      taken.map((row) =>
        own.cellsOf(row).map((cell, i) => (ignored.has(`${row.list} ${i}`) ? '' : cell)),
      ),
    );
    yield Buffer.from(text);
    text = '';
  }
  progress.stop();
  if (counts.people > 0) return;
  const why = `A new campaign would have nobody on its list. ${notLine('found', counts.left)}`;
  throw usageError('RETRY_NOT_ALLOWED', why, 'withdraw those who are still to be called, first');
}

/**
 * What the columns were taken for: numbers in their order, and what a person chose; and whose cells another list ignores,
 * by list and place, though this column is used by one.
 */
function readingsOf(lists: readonly List[]) {
  const { headers } = ownColumns(lists);
  const columns: ChosenReading['columns'] = {};
  const ignored = new Set<string>();
  for (const { mapping, headers: before, number } of lists) {
    const now = mapping && alignMapping(mapping, before, headers);
    if (now == null) continue;
    const phones = now.phones.map((column) => ({ target: 'phone' as const, column }));
    for (const { target, column } of [...chosenIn(now), ...phones]) {
      if (column === null) continue;
      const place = `#${column + 1}`;
      if (target === 'ignore') ignored.add(`${number} ${column}`);
      if (target !== 'ignore' || columns[place] === undefined) columns[place] = target;
    }
  }
  for (const one of ignored)
    if (columns[`#${Number(one.split(' ')[1]) + 1}`] === 'ignore') ignored.delete(one);
  return { columns, ignored };
}
