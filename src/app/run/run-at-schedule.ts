import { createSchedules } from '../serve/schedules.ts';
import type { World } from '../world.ts';
import { runAndReport, type RunAndReportOptions, type RunReport } from './run-and-report.ts';

/** How often it is looked whether its time has come, or its settings have changed. */
const LOOK_MS = 1_000;

/**
 * Runs a campaign at the times of its schedule, each to the end of its night, as `serve` does; without a schedule at once.
 * A limit of calls holds for the first of these nights, and ends with it.
 *
 * @returns the report of the last night; null: it was stopped before the first one, or left at once
 */
export async function runAtSchedule(
  options: RunAndReportOptions,
  world: World,
): Promise<RunReport | null> {
  const { store, run, watch, noticeWatch } = options;
  const { dialling } = watch.stop;
  const isStopped = () => dialling.aborted;
  const schedules = createSchedules(
    store,
    (campaign, reason, sentence) => {
      world.tell(`${campaign.name}: ${sentence}`, 'problem');
      void noticeWatch?.attention(campaign, reason, sentence);
    },
    world,
  );
  let campaign = options.campaign;
  let report: RunReport | null = null;
  let over = { version: -1, until: -Infinity };
  for (;;) {
    if (campaign.settings.schedule === undefined)
      return runAndReport({ ...options, campaign }, world);
    const due = await schedules.look(campaign, world.clock.now());
    // After the night's budget is used up there is no more to do in it, unless the settings change.
    const isOver = over.version === campaign.version && world.clock.now() < over.until;
    if (due.isOpen && !isOver) {
      const until = Math.min(run.until ?? Infinity, due.until);
      const bounds = { ...run, until, waitUntil: due.until };
      report = await runAndReport({ ...options, campaign, run: bounds }, world);
      if (report === null || run.limit !== null) return report;
      over = { version: report.campaign.version, until: due.until };
    }
    const now = await store.findCampaign(campaign.name);
    if (isStopped() || now?.state !== 'running') return report;
    campaign = now;
    await world.clock.sleep(LOOK_MS, dialling);
    if (isStopped()) return report;
  }
}
