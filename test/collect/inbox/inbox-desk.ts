import type { CallFeed } from '../../../src/collect/polling/poller.ts';
import { createInbox } from '../../../src/collect/inbox/inbox.ts';
import { PollScheduler } from '../../../src/domain/polling/poll-scheduler.ts';
import type { DeliveryProtocol, PollResult } from '../../../src/service/port.ts';
import type { DialRecord, Intent } from '../../../src/store/port.ts';
import { aScene, type Plan, type Scene } from '../../helpers/campaign-run.ts';
import { START } from '../../helpers/clock.ts';
import { someAnalytics, someSettings } from '../../helpers/factory.ts';
import { protocol } from '../../helpers/services/webhooks.ts';

export const SETTLED = {
  kind: 'settled',
  analytics: someAnalytics(),
  result: null,
} as const satisfies PollResult;

/** A running campaign, claimed attempts, and the inbox of its service, whose reads are told here. */
export async function aDesk(plan: Plan & { look?: PollResult; protocol?: DeliveryProtocol } = {}) {
  const scene = await aScene(plan);
  const reads: string[] = [];
  const heard: string[] = [];
  const feed: CallFeed = new Map();
  const pollScheduler = new PollScheduler(someSettings().polling, () => heard.push('stopped'));
  feed.set(scene.campaign.id, {
    scheduler: pollScheduler,
    onLineDown: () => heard.push('line down'),
    onPollDue: () => heard.push('poll due'),
  });
  const inbox = createInbox({
    store: scene.store,
    service: {
      name: 'main',
      readAnalytics: async (callId) => {
        reads.push(callId);
        return plan.look ?? SETTLED;
      },
    },
    protocol: plan.protocol ?? protocol(),
    feed,
    clock: scene.clock,
    notify: () => undefined,
  });
  let ids = 0;
  const put = async (event: unknown, { signed = true, id = `dlv_${(ids += 1)}` } = {}) => {
    const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event));
    const headers = { 'content-type': 'application/json' };
    const receivedAt = scene.clock.now();
    await scene.store.inboxPut({ id, service: 'main', key: id, receivedAt, headers, body, signed });
    return id;
  };
  /** Puts it, applies it, and tells its state. */
  const deliver = async (event: unknown, options: { signed?: boolean } = {}) => {
    const id = await put(event, options);
    await inbox.runOnce();
    return stateOf(scene, id);
  };
  return { scene, inbox, reads, heard, put, deliver, pollScheduler };
}

/** The same, and a call whose dial was answered like this. */
export async function aDialled(answer: DialRecord, plan: Parameters<typeof aDesk>[0] = {}) {
  const desk = await aDesk(plan);
  const intent = await claimOne(desk.scene);
  await desk.scene.store.recordDial(intent.attemptId, answer);
  return { ...desk, intent };
}

export async function stateOf({ store }: Scene, id: string) {
  const found = await store.findDelivery(id);
  return found && { state: found.state, reason: found.reason, attemptId: found.attemptId };
}

export async function claimOne({ store, clock, service, campaign }: Scene): Promise<Intent> {
  const { intents } = await store.claim({
    campaignId: campaign.id,
    want: 1,
    slots: 100,
    serviceSlots: null,
    service: service.name,
    fingerprint: service.fingerprint,
    now: clock.now(),
    owner: { host: 'host-1', boot: 'boot-1', pid: 4_711 },
  });
  const [intent] = intents;
  if (intent === undefined) throw new Error('nothing was claimed');
  return intent;
}

export const placed = (callId: string): DialRecord => ({
  kind: 'placed',
  callId,
  at: START + 100,
  nextPollAt: START + 60_000,
  detail: '',
  fingerprint: 'main-1',
});
export const unknown: DialRecord = {
  kind: 'unknown',
  at: START + 100,
  detail: 'no answer',
  answered: false,
  accepted: false,
};
export const finished = (data: Record<string, unknown>, at = START + 30_000) => ({
  type: 'call.finished',
  timestamp: new Date(at).toISOString(),
  data,
});
export const rowOf = async (scene: Scene, { phone }: Intent) =>
  (await scene.rows()).find((row) => row.phone === phone);
