import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DAY_MS } from '../../domain/time-units.ts';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import { runCampaign, type RunEnd } from '../../run-campaign.ts';
import type { FastTime } from '../../runtime/fast-time.ts';
import type { ProcessIdentity } from '../../runtime/process.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { openScratchStore } from '../../store/sqlite/scratch/scratch-store.ts';
import type { Rehearsal } from '../../views/rehearsal.ts';
import { takeForRehearsal } from '../places/servers.ts';
import { importPlanned } from '../plan/import-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { firingEnd, nextScheduled } from '../plan/schedule-times.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import { historyEntry, UNATTENDED, type World } from '../world.ts';

/** No campaign is rehearsed for longer than a year. */
const LONGEST_MS = 366 * DAY_MS;
/** A run that ends without a call is not begun again at the same moment. */
const REST_MS = 5_000;
/** Nobody else works on a scratch database, and its own process tells when something has changed. */
const OTHERS_EVERY_MS = 60_000;

/**
 * Calls everybody who waits, by the whole program and in all nights that it takes, as `serve` does: whenever somebody
 * may be called or, with a schedule, at its times.
 */
export async function playNights(options: {
  store: Store;
  campaign: Campaign;
  service: VoiceService;
  maxCalls: number | null;
  time: FastTime;
  owner: ProcessIdentity;
  stop: AbortSignal;
}): Promise<Rehearsal['end']> {
  const { store, campaign, service, maxCalls, time, owner, stop } = options;
  const { clock } = time;
  const { settings } = campaign;
  const longest = clock.now() + LONGEST_MS;
  const holdsUntil = await suppressionHoldsUntil(campaign, store);
  const hasSchedule = settings.schedule !== undefined;
  let nextAt: number | null = hasSchedule ? nextScheduled(settings, clock.now()) : clock.now();
  /** With a schedule, the end of the night that is played. */
  let endsAt: number | null = hasSchedule ? -Infinity : null;
  for (;;) {
    if (nextAt === null) return (await someWait(options)) ? 'nobody_may' : 'done';
    if (nextAt === Infinity) return (await someWait(options)) ? 'schedule_over' : 'done';
    if (nextAt >= longest) return 'too_long';
    if (nextAt >= holdsUntil) return 'suppression_too_old';
    if (endsAt !== null && nextAt >= endsAt) endsAt = firingEnd(settings, nextAt);
    await time.sleep(Math.max(0, nextAt - clock.now()));
    const end: RunEnd = await time.pass(
      runCampaign({
        store,
        campaign,
        dialAt: { service, maxCalls },
        collectFrom: [service],
        clock,
        owner,
        isGone: () => false,
        limit: null,
        until: Math.min(holdsUntil, longest, endsAt ?? Infinity),
        waitUntil: endsAt,
        notify: () => undefined,
        stopDialling: stop,
        stop,
        othersEveryMs: OTHERS_EVERY_MS,
      }),
    );
    if (stop.aborted) return 'stopped';
    const now = clock.now();
    if (now >= holdsUntil) return 'suppression_too_old';
    if (now >= longest) return 'too_long';
    nextAt = end.nextAt === null ? null : Math.max(end.nextAt, now + REST_MS);
    // With a schedule, who is due after the end of a night waits for the next one.
    if (endsAt !== null && nextAt !== null && nextAt >= endsAt)
      nextAt = nextScheduled(settings, now);
  }
}

async function someWait({
  store,
  campaign,
  time,
}: Pick<Parameters<typeof playNights>[0], 'store' | 'campaign' | 'time'>): Promise<boolean> {
  return (await store.progress(campaign.id, time.clock.now())).waiting > 0;
}

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
  // Rows that are not taken are written to a file, as for every import; here nobody will look for it.
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-rehearsal-'));
  const scratch = openScratchStore({ folder });
  const { store } = scratch;
  const remove = () => rmSync(folder, { recursive: true, force: true });
  world.underway?.cleanUps.add(async () => remove());
  try {
    const { campaign: stored, resolved, opened, name } = plan;
    const { variables, ...others } = resolved.settings;
    // A rehearsal does not read the agent's prompt.
    const settings = variables?.columns === null ? others : resolved.settings;
    /** The database, or of one on a server what counts here. */
    const real = async (campaignId: string | null, phones: string[]): Promise<string> =>
      plan.place.file ??
      takeForRehearsal(plan.place, world, {
        ...{ file: join(folder, `${phones.length}.db`), campaignId, phones },
      });
    const known = stored?.id ?? null;
    if (plan.store !== undefined) scratch.copyCampaign(await real(known, []), known);
    const { name: service, simulated } = opened.config;
    const entry = historyEntry(world, 'campaign.created');
    const made = { id: world.newId('cmp'), name, kind: 'list', service, simulated } as const;
    const begun =
      stored ?? (await store.createCampaign({ ...made, settings, createdAt: entry.at }, entry));
    // Of this import nothing is told, and nothing is kept when it is interrupted.
    const quiet = {
      ...world,
      tell: () => undefined,
      progress: UNATTENDED.progress,
      ...(world.underway !== undefined && { underway: { ...world.underway } }),
    };
    await importPlanned(plan, { store, campaign: begun, world: quiet }, false);
    const asked = scratch.askedPhones();
    if (plan.store !== undefined && asked.length > 0)
      scratch.copyWhatCounts(await real(null, asked), begun.id);
    const change = { state: 'running', resumes: true, settings, service } as const;
    const started = historyEntry(world, 'campaign.started');
    const campaign = await store.changeCampaign(begun.id, change, started);
    await fillPlaces(store, campaign);
    return { campaign, image: scratch.image() };
  } finally {
    remove();
    await store.close();
  }
}
