import { createNoticeWatch } from '../../../src/app/notices/watch.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type { NoticeTarget } from '../../../src/domain/notices.ts';
import { EXIT } from '../../../src/runtime/errors.ts';
import type { OutboxBody, Store } from '../../../src/store/port.ts';
import { claimedOne, placed, settled } from '../../conformance/store/setup.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const ALL: NoticeTarget = {
  on: ['attention', 'finished', 'started', 'refusedList'],
  url: 'https://ops.example.com',
};
export const PLACED = { event: 'call.placed', attempt: 'a', callId: 'c' } as const;
export const WAITS = { code: EXIT.waiting, why: '4 leads wait.' };

/** A campaign that runs, and processes that watch it. */
export async function aScene(own: NoticeTarget[] = [ALL], given: Partial<CampaignSettings> = {}) {
  const store = aStore(aDatabasePath());
  const settings = { settings: given };
  const campaign = await addCampaign(store, { name: 'spring', from: 0, leads: 3, ...settings });
  const clock = new VirtualClock();
  const world = fakeWorld({ cwd: tempFolder(), clock });
  const process = (using: Store = store, names = own) =>
    createNoticeWatch({ store: using, own: names }, world);
  const told = async () => {
    const bodies: OutboxBody[] = [];
    for (;;) {
      const [next] = await store.outboxDue(clock.now());
      const taken = next && (await store.outboxTake(next, clock.now()));
      if (taken === undefined || taken === null) return bodies;
      await store.outboxTried(taken, { at: clock.now(), why: null, due: null });
      bodies.push(taken.body);
    }
  };
  const call = async (callId: string) => {
    const now = clock.now();
    const { attemptId } = await claimedOne(store, { campaignId: campaign.id, now });
    await store.recordDial(attemptId, placed(callId, now, now));
    await store.recordPoll(attemptId, { ...settled(callId), at: now });
  };
  return { store, campaign, clock, world, process, told, call };
}
