import type { DeliveryDecision, OutboxBody } from '../../../src/store/port.ts';
import type { DatabaseStore } from '../../../src/store/sql/store.ts';
import {
  aClaim,
  addList,
  aList,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  ENTRY,
  ME,
  placed,
  released,
  settled,
  someLeads,
  unknown,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED, someSettings } from '../../helpers/factory.ts';

/** The calls of the state, in the order of their claims, and a call to be. */
const [INTENT, PLACED, DOUBT, NEW_CALL] = ['a2', 'a3', 'a4', 'call_2'];
const LATER = START + 120_000;
const STOP = { calls: 5 };
const OTHER = 'cmp_other';
const LIST = `list-${CAMPAIGN}`;
const BY = { at: LATER, note: null, who: 'ada' };

const someSuppression = (...of: number[]) =>
  of.map((n) => ({ ...BY, phone: aPhone(n), source: 'operator' as const, expiresAt: null }));
const A_RECEIVER = { target: 'aa', shown: 'command tell' };
const aBody = (id: string): OutboxBody => ({
  ...{ id, event: 'started', night: '2026-01-05', reason: id, campaign: CAMPAIGN, text: 'x' },
});
const aMessage = (id: string, tries = 0) => ({
  ...{ id, ...A_RECEIVER, at: START, body: aBody(id), tries },
});
const aDelivery = (n: number, key = `e${n}`) => ({
  ...{ id: `d${n}`, service: 'main', key, receivedAt: START, signed: false, headers: {} },
  body: new Uint8Array([n]),
});

const aDecision = (n: number, state: DeliveryDecision['state']): DeliveryDecision => ({
  ...{ id: `d${n}`, at: START, state, reason: null, type: null, callId: 'call_1' },
  ...{ attemptKey: null, attemptId: null, tryAt: null, lead: null },
});

/** Which of two callers: their requests differ, and are about the same people and calls. */
type Who = 0 | 1;
type Deciding = (store: DatabaseStore, who: Who) => Promise<unknown>;

/** The methods that read and decide before they write, each in a form for either of two callers. */
export const DECIDING: Readonly<Record<string, Deciding>> = {
  claim: (store, who) =>
    store.claim(aClaim({ want: 2, now: LATER, owner: { ...ME, pid: 1 + who } })),
  recordDial: (store, who) => store.recordDial(INTENT, who === 0 ? placed(NEW_CALL) : released()),
  recordPoll: (store, who) =>
    store.recordPoll(
      PLACED,
      settled('call_1', who === 0 ? {} : { result: 'no_answer', at: LATER, refusal: 'no more' }),
    ),
  recordEvidence: (store, who) =>
    store.recordEvidence(who === 0 ? INTENT : DOUBT, {
      ...{ callId: NEW_CALL, at: LATER, nextPollAt: LATER, byNumber: who === 1 },
    }),
  resolve: (store, who) =>
    store.resolve(
      DOUBT,
      who === 0
        ? { as: 'not_placed', by: 'ada', at: START + 1_000_000, note: null }
        : { as: 'placed', callId: NEW_CALL, by: 'bob', at: LATER, note: null },
    ),
  sweep: (store, who) =>
    store.sweep(aSweep({ now: START + (who === 0 ? 130_000 : 9_000_000), gone: [ME] })),
  changeCampaign: (store, who) =>
    store.changeCampaign(
      CAMPAIGN,
      who === 0
        ? { settings: someSettings({ concurrency: 9, stop: STOP }), ifVersion: 2 }
        : { state: 'cancelled' },
      ENTRY,
    ),
  createCampaign: (store, who) =>
    store.createCampaign(aCampaign({ id: `cmp_new${who}`, name: 'new' }), CREATED),
  beginList: (store, who) =>
    store.beginList(CAMPAIGN, aList({ id: `list_${who}`, sha256: 'bb22', complete: who === 1 })),
  addLeads: (store, who) =>
    store.addLeads(LIST, [
      aLead(20, { line: 40 + who, cells: ['Ann', `${who}`] }),
      aLead(5, { line: 50 }),
      aLead(who === 0 ? 3 : 4, { line: 60 }),
    ]),
  cancelWaiting: (store, who) =>
    store.cancelWaiting(CAMPAIGN, [aPhone(5), aPhone(6 + who)], who === 0 ? 'left_list' : 'gone'),
  waitAgain: (store, who) => store.waitAgain(CAMPAIGN, [aPhone(4), aPhone(5)], LATER + who),
  retryLeads: (store, who) =>
    store.retryLeads(CAMPAIGN, [aPhone(4), aPhone(6)], {
      ...{ results: ['no_answer'], upTo: null, now: LATER + who },
    }),
  cancelLead: (store, who) => store.cancelLead(CAMPAIGN, aPhone(who === 0 ? 5 : 4), ENTRY),
  undoCancelLead: (store, who) => store.undoCancelLead(CAMPAIGN, aPhone(who === 0 ? 3 : 5), ENTRY),
  undoCancel: (store) => store.undoCancel(CAMPAIGN, ENTRY),
  suppress: (store, who) => store.suppress(someSuppression(5, 3 + who, who === 0 ? 20 : 8)),
  unsuppress: (store, who) => store.unsuppress({ ...BY, phone: aPhone(who === 0 ? 8 : 5) }),
  inboxPut: (store, who) => store.inboxPut(aDelivery(3 + who, 'e3')),
  outboxPut: (store, who) =>
    store.outboxPut({
      ...{ campaignId: CAMPAIGN, at: LATER + who, body: aBody('ntc_3'), to: [A_RECEIVER] },
    }),
  outboxTake: (store, who) => store.outboxTake(aMessage('ntc_1'), LATER + who),
  outboxTried: (store, who) =>
    store.outboxTried(
      aMessage('ntc_1', 1),
      who === 0
        ? { at: LATER, why: null, due: null }
        : { at: LATER, why: 'refused', due: LATER + 60_000 },
    ),
  wakeDeliveries: (store, who) => store.wakeDeliveries('main', LATER + who),
  decideDeliveries: (store, who) =>
    store.decideDeliveries([aDecision(1, who === 0 ? 'applied' : 'ignored')]),
  webhookToken: (store, who) => store.webhookToken('main', `hook_${who}`, LATER),
};

export const STATES = ['running', 'cancelled'] as const;

/**
 * A campaign in which each of these has something to decide: a lead is claimed, one called, one in doubt, some wait, one
 * was withdrawn, one left its list, one is suppressed; deliveries name calls, messages wait; another campaign has
 * its people, too.
 */
export async function makeState(
  store: DatabaseStore,
  state: (typeof STATES)[number],
): Promise<void> {
  const plan = { settings: { stop: STOP }, leads: 10 };
  // What only the port has is not asked for.
  await aRunningCampaign(store, plan);
  await aRunningCampaign(store, { id: OTHER, leads: someLeads(4, 5) });
  await store.claim(aClaim({ want: 3 }));
  await store.recordDial(PLACED, placed('call_1'));
  await store.recordDial(DOUBT, unknown());
  await store.cancelLead(CAMPAIGN, aPhone(3), ENTRY);
  await store.cancelWaiting(CAMPAIGN, [aPhone(4)], 'left_list');
  await store.suppress(someSuppression(8));
  await addList(store, OTHER, someLeads(1, 30), { id: 'list_other', sha256: 'cc33' });
  for (const [n, callId] of ['call_1', NEW_CALL].entries()) {
    await store.inboxPut(aDelivery(n + 1));
    const decision = aDecision(n + 1, 'unmatched');
    await store.decideDeliveries([{ ...decision, callId, tryAt: START + 9_000_000 }]);
  }
  for (const id of ['ntc_1', 'ntc_2']) {
    const message = { campaignId: CAMPAIGN, at: START, body: aBody(id), to: [A_RECEIVER] };
    await store.outboxPut(message);
  }
  if (state === 'cancelled') await store.changeCampaign(CAMPAIGN, { state }, ENTRY);
}
