import { dirname, join } from 'node:path';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { importList, type ImportReport } from '../../leads/import.ts';
import type { Survey } from '../../leads/survey.ts';
import { grouped } from '../../text/amounts.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { importLines, mapFlags } from '../sentences/import-lines.ts';
import type { World } from '../world.ts';
import type { Plan } from './plan.ts';
import type { ListInput } from './plan-lists.ts';
import { returnLeads, bringsBack } from './returning-people.ts';
import { cancelLeft } from './sync.ts';
import { STANDARD_INPUT } from '../places/standard-input.ts';

/** What of a plan its lists are imported by. */
export type ImportablePlan = Pick<Plan, 'surveys' | 'known' | 'input' | 'inputs' | 'goesOn'> & {
  opened: { config: { live: boolean } };
  resolved: { settings: Pick<CampaignSettings, 'country' | 'numbers' | 'policy'> };
  place: { path: string };
};

/** The outcome of importing lists. */
export interface Imported {
  reports: ImportReport[];
  /** `left`: waiting leads that were cancelled, not on a complete list. `back`: leads that had left and wait again. */
  left: number;
  back: number;
}

/**
 * Imports the lists of a plan one after the other, and reports on each. Leads that had left and are on a new list wait
 * again. With `sync`, waiting leads that are not on the list are cancelled before the campaign calls again.
 *
 * @param sync the given lists are complete
 */
export async function importPlanned(plan: ImportablePlan, open: OpenCampaign, sync: boolean) {
  const { campaign, world } = open;
  const all: Imported = { reports: [], left: 0, back: 0 };
  for (const survey of plan.surveys) {
    const { path, scanned } = survey;
    const report = await importOne(plan, survey, open, sync, all);
    all.reports.push(report);
    const mapped = mapFlags(scanned, inputFor(plan, path).choices.length > 0);
    for (const line of importLines(report, campaign.name, mapped)) world.tell(line);
    keep(`all ${grouped(report.rows)} rows of ${path} are in`, world);
  }
  return all;
}

async function importOne(
  plan: ImportablePlan,
  { path, scanned, phones, sha256, rows }: Survey,
  open: OpenCampaign,
  sync: boolean,
  all: Imported,
): Promise<ImportReport> {
  const { store, campaign, world } = open;
  const { country, numbers: policy, policy: calling } = plan.resolved.settings;
  const progress = world.progress(`Importing ${path}`);
  const again = path === STANDARD_INPUT ? ' (with the same bytes)' : '';
  const goesOn = plan.goesOn?.sha256 === sha256;
  const tellDone = (done: number) => {
    keep(`${grouped(done)} of ${grouped(rows)} rows of ${path}${again} are in`, world);
  };
  tellDone(0);
  return importList(store, campaign.id, scanned, {
    ...inputFor(plan, path),
    complete: sync && !goesOn,
    owner: world.owner,
    policy,
    calling,
    onProgress: (done) => {
      tellDone(done.done);
      progress.onProgress(done);
    },
    signal: world.underway?.signal,
    beforeFinish: async (list, seen) => {
      if (list.complete) all.left += await cancelLeft(open, phones, seen);
      if (bringsBack(plan.known, sha256)) all.back += await returnLeads(open, phones);
    },
    country,
    refuseFictional: plan.opened.config.live,
    clock: world.clock,
    newId: world.newId,
    rejectsDir: join(dirname(plan.place.path), 'rejects'),
  }).finally(progress.stop);
}

function inputFor({ inputs, input }: ImportablePlan, path: string): ListInput {
  return inputs?.get(path) ?? input;
}

/** Keeps the sentence that Ctrl-C prints about what is stored so far. */
function keep(what: string, { underway }: World): void {
  if (underway !== undefined) underway.kept = what;
}
