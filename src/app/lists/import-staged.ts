import { resolveSettings } from '../../config/settings.ts';
import { invalidFlag } from '../../config/campaign-file.ts';
import { columnsUndecided } from '../../leads/rows/column-questions.ts';
import type { Survey } from '../../leads/import.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { AppError } from '../../runtime/errors.ts';
import { homeOf } from '../places/home.ts';
import { confirmSync, importPlanned } from '../plan/import-plan.ts';
import { keepingOptOuts } from './keep-opt-outs.ts';
import { bringsNothing, nobodyToCall } from './scan-places.ts';
import { AS_FOUND, readLists } from '../plan/plan-lists.ts';
import { confirmAgain } from '../plan/repeated-lists.ts';
import { listsWithoutConsent, requireConsent } from '../rules/duties.ts';
import { isTogether, unfinishedImport, unfinishedError } from '../plan/unfinished-import.ts';
import type { World } from '../world.ts';

/** A campaign that takes lists by itself. */
export interface TakingCampaign {
  store: Store;
  campaign: Campaign;
  /** True when its service calls real people: fictional numbers are refused then. */
  live: boolean;
  /** The file that names services; default: that of the home folder. */
  services?: string | undefined;
}

export interface Brought {
  /** False: the campaign had every byte of it already. */
  isNew: boolean;
  added: number;
  rows: number;
  /** The file with the rows that were not taken; null: all were. */
  rejectsPath: string | null;
  /** Set where rows were held back, as nobody has said what columns mean; see `columnsUndecided`. */
  held: { rows: number; question: AppError } | null;
}

/**
 * Imports one list as `import` does where nobody is there to be asked: what would need a yes is refused, and rows
 * with cells that may refuse calls, in columns that nobody has decided about, are held back. Rows that an
 * interrupted import of the same bytes has added are there already.
 *
 * @param list.path the name for messages, and `list.file` the copy that is read
 * @throws AppError those of `readLists`, `requireConsent`, `confirmAgain`, `confirmSync` and the import
 */
export async function importStaged(
  { store, campaign, live }: TakingCampaign,
  list: { path: string; file: string },
  mode: 'add' | 'sync',
  world: World,
): Promise<Brought> {
  const resolved = resolveSettings({
    cwd: world.cwd,
    stored: campaign.settings,
    home: homeOf(world).folder,
    defaults: { timezone: world.timezone, live },
  });
  const reading = { live, input: AS_FOUND, store, campaign };
  const planned = await readLists([list], resolved, reading, world);
  const [survey] = planned.surveys;
  if (survey === undefined)
    return { isNew: false, added: 0, rows: 0, rejectsPath: null, held: null };
  const plan = {
    ...planned,
    name: campaign.name,
    store,
    campaign,
    progress: await store.progress(campaign.id, world.clock.now()),
    input: AS_FOUND,
    goesOn: undefined,
    opened: { config: { live, simulated: campaign.simulated } },
    resolved,
    createStore: () => Promise.resolve(store),
  };
  await keepingOptOuts(plan, world, async () => {
    const open = await unfinishedImport(store, campaign, world);
    if (open !== undefined && (isTogether(open.list) || open.list.sha256 !== survey.sha256))
      throw unfinishedError(open, campaign);
    if (bringsNothing(survey)) throw nobodyToCall([survey], AS_FOUND);
    const { ruleFiles } = resolved;
    const { surveys } = planned;
    requireConsent(await listsWithoutConsent({ ruleFiles, surveys, campaign: undefined, store }));
    await confirmAgain(plan, { again: false, onlyImports: true }, world);
    if (mode !== 'sync') return;
    if (planned.phones.size === 0)
      throw invalidFlag(
        'A complete list needs good rows: this one has none, and would cancel everybody.',
      );
    await confirmSync(plan, false, world);
  });
  const { reports } = await importPlanned(plan, { store, campaign, world }, mode === 'sync');
  const [report] = reports;
  return {
    isNew: true,
    added: report?.added ?? 0,
    rows: report?.rows ?? 0,
    rejectsPath: report?.rejectsPath ?? null,
    held: heldIn(survey),
  };
}

function heldIn({ scanned, byReason }: Survey): Brought['held'] {
  const question = columnsUndecided(scanned, scanned.memory.cells);
  const rows = (byReason.unclear_refusal ?? 0) + (byReason.unclear_consent ?? 0);
  return question === undefined || rows === 0 ? null : { rows, question };
}
