import { Poller } from '../../../src/collect/polling/poller.ts';
import { PollScheduler } from '../../../src/domain/polling/poll-scheduler.ts';
import { Lanes } from '../../../src/runtime/lanes.ts';
import type { VoiceService } from '../../../src/service/port.ts';
import type { Store } from '../../../src/store/port.ts';
import { aScene, type Plan, type Scene } from '../../helpers/campaign-run.ts';

/** Calls that were placed `agoMs` ago and that nobody has polled; over unless `plan` says otherwise. */
export async function placedCalls(count: number, agoMs: number, plan: Plan = {}): Promise<Scene> {
  const settings = { concurrency: count + 1, requests: Math.min(count, 50) };
  const scene = await aScene({ leads: count, settings, dial: () => ({ talkMs: 100 }), ...plan });
  await scene.run({ collectFrom: [] });
  await scene.night.sleep(agoMs);
  return scene;
}

/** A poller of the scene's campaign alone. */
export function aPoller(
  scene: Scene,
  overrides: { store?: Store; service?: VoiceService; lanes?: Lanes } = {},
): Poller {
  const { campaign, clock, notices, service, store } = scene;
  return new Poller({
    store,
    service,
    campaignId: campaign.id,
    reconcileForMs: campaign.settings.reconcileForMs,
    scheduler: new PollScheduler(campaign.settings.polling),
    lanes: new Lanes(5),
    clock,
    notify: (notice) => notices.push(notice),
    onLineDown: () => undefined,
    onBackoff: () => undefined,
    ...overrides,
  });
}
