import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import type { Campaign } from '../../store/port.ts';
import { openScratchStore } from '../../store/sqlite/scratch/scratch-store.ts';
import { importPlanned } from '../plan/import-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { historyEntry, type World } from '../world.ts';

/** A campaign that is ready to be rehearsed any number of times. */
export interface Prepared {
  campaign: Campaign;
  /** The scratch database as it is before the first call. */
  image: Buffer;
}

/**
 * Makes the plan real in a scratch database, as `run` would in its own: campaign, settings, lists, leads; with them
 * whatever else the rules ask for. The real database is only read.
 */
export async function prepare(plan: Plan, world: World): Promise<Prepared> {
  const scratch = openScratchStore();
  const { store } = scratch;
  // Rows that are not taken are written to a file, as for every import; here nobody will look for it.
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-rehearsal-'));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  world.underway?.cleanUps.add(async () => {
    remove();
  });
  try {
    const { campaign: stored, place, resolved, opened, name } = plan;
    const { variables, ...others } = resolved.settings;
    // A rehearsal does not read the agent's prompt.
    const settings = variables?.columns === null ? others : resolved.settings;
    if (plan.store !== undefined) scratch.copyCampaign(place.path, stored?.id ?? null);
    const { name: service, simulated } = opened.config;
    const entry = historyEntry(world, 'campaign.created');
    const made = { id: world.newId('cmp'), name, kind: 'list', service, simulated } as const;
    const begun =
      stored ?? (await store.createCampaign({ ...made, settings, createdAt: entry.at }, entry));
    // Of this import nothing is told, and nothing is kept when it is interrupted.
    const quiet = {
      ...world,
      tell: () => undefined,
      progress: () => ({ onProgress: () => undefined, stop: () => undefined }),
      ...(world.underway !== undefined && { underway: { ...world.underway } }),
    };
    const elsewhere = { ...place, path: join(folder, 'callsheet.db') };
    const open = { store, campaign: begun, world: quiet };
    await importPlanned({ ...plan, place: elsewhere }, open, false);
    if (plan.store !== undefined) scratch.copyWhatCounts(place.path, begun.id);
    const change = { state: 'running', settings, service } as const;
    const started = historyEntry(world, 'campaign.started');
    const campaign = await store.changeCampaign(begun.id, change, started);
    await fillPlaces(store, campaign);
    return { campaign, image: scratch.image() };
  } finally {
    remove();
    await store.close();
  }
}
