import type { OutboxBody, Store } from '../../../src/store/port.ts';
import {
  aClaim,
  aList,
  aSweep,
  CAMPAIGN,
  ENTRY,
  ME,
  placed,
  settled,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, CREATED, aLead, aPhone } from '../../helpers/factory.ts';

const QUERY = { service: 'main', campaignId: null, now: START, after: START, limit: 9 };

const A_SUPPRESSION = {
  phone: aPhone(4),
  at: START,
  source: 'operator',
  note: null,
  who: 'operator',
  expiresAt: null,
} as const;

const A_PLACE = { phone: aPhone(4), zoneKey: 'America/New_York;US', disagree: false };
const A_RETRY = { results: ['no_answer'], upTo: null, now: START } as const;

const A_RECEIVER = { target: 'aa', shown: 'command tell' };
const A_BODY: OutboxBody = {
  ...{ id: 'ntc_1', event: 'started', night: '2026-01-05', reason: 'calls' },
  ...{ campaign: CAMPAIGN, text: 'x' },
};
const A_MESSAGE = { id: 'ntc_1', ...A_RECEIVER, at: START, body: A_BODY, tries: 0 };
const A_TAKER = { ...ME, at: START, before: null };
const A_NIGHT_FILE = {
  ...{ campaignId: CAMPAIGN, night: '2026-01-05', file: '/results/a.csv', at: START, calls: null },
  machine: 'host-1',
};
const A_FIRING = { at: START, met: 'on_time', takenAt: START, taker: ME } as const;
const A_FILE = { sha256: 'ff00', path: '/lists/a.csv', taker: { ...ME, seenAt: START }, at: START };

/** Every method that asks the database, each once; `attemptId` is an attempt that was claimed. */
export const METHODS: [string, (store: Store, attemptId: string) => Promise<unknown>][] = [
  [
    'createCampaign',
    (store) => store.createCampaign(aCampaign({ id: 'cmp_b', name: 'b' }), CREATED),
  ],
  ['assertWritable', (store) => store.assertWritable()],
  ['findCampaign', (store) => store.findCampaign(CAMPAIGN)],
  ['listCampaigns', (store) => store.listCampaigns()],
  ['changeCampaign', (store) => store.changeCampaign(CAMPAIGN, { state: 'draft' }, ENTRY)],
  ['addHistory', (store) => store.addHistory(CAMPAIGN, ENTRY)],
  ['history', (store) => store.history(CAMPAIGN)],
  ['beginList', (store) => store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22' }))],
  ['addLeads', (store) => store.addLeads(`list-${CAMPAIGN}`, [aLead(9)])],
  [
    'stopLeads',
    (store) => store.stopLeads(CAMPAIGN, 'bb22', [{ phone: aLead(3).phone, why: 'no consent' }]),
  ],
  ['finishList', (store) => store.finishList('list_1', { good: 1, rejected: 0, duplicates: 0 })],
  ['lists', (store) => store.lists(CAMPAIGN)],
  ['changeSent', (store) => store.changeSent({ id: 'list_1', sha256: 'cc33', input: null })],
  ['removeSent', (store) => store.removeSent('list_1')],
  ['removeDraft', (store) => store.removeDraft(CAMPAIGN)],
  ['waitingPhones', (store) => store.waitingPhones(CAMPAIGN, null, 1)],
  ['missedPhones', (store) => store.missedPhones(CAMPAIGN, null, 1)],
  ['callingPhones', (store) => store.callingPhones(CAMPAIGN, null, 1)],
  ['firings', (store) => store.firings(CAMPAIGN)],
  ['takeFiring', (store) => store.takeFiring(CAMPAIGN, A_FIRING)],
  ['watchedLists', (store) => store.watchedLists(CAMPAIGN)],
  ['claimWatched', (store) => store.claimWatched(CAMPAIGN, A_FILE, null)],
  ['endWatched', (store) => store.endWatched(CAMPAIGN, { ...A_FILE, state: 'taken', note: null })],
  ['watchedMoved', (store) => store.watchedMoved(CAMPAIGN, 'ff00', START)],
  ['addressState', (store) => store.addressState(CAMPAIGN, 'https://lists.example.com/a.csv')],
  [
    'keepAddress',
    (store) =>
      store.keepAddress(
        CAMPAIGN,
        'https://lists.example.com/a.csv',
        { etag: null, lastModified: null },
        START,
      ),
  ],
  ['suppressionHistory', (store) => store.suppressionHistory(aPhone(0))],
  ['deliveriesOf', (store, attemptId) => store.deliveriesOf([attemptId])],
  ['leadsWithoutPlace', (store) => store.leadsWithoutPlace(CAMPAIGN, 1)],
  ['keepPlaces', (store) => store.keepPlaces(CAMPAIGN, [A_PLACE])],
  ['cancelWaiting', (store) => store.cancelWaiting(CAMPAIGN, [aPhone(4)], 'left_list')],
  ['importedLeads', (store) => store.importedLeads(`list-${CAMPAIGN}`, 1, 9)],
  ['importSeen', (store) => store.importSeen('list_2', ME, START)],
  ['leftPhones', (store) => store.leftPhones(CAMPAIGN, null, 1)],
  ['waitAgain', (store) => store.waitAgain(CAMPAIGN, [aPhone(4)], START)],
  ['mayRetry', (store) => store.mayRetry(CAMPAIGN, [aPhone(4)], A_RETRY)],
  ['retryLeads', (store) => store.retryLeads(CAMPAIGN, [aPhone(4)], A_RETRY)],
  ['undoCancelLead', (store) => store.undoCancelLead(CAMPAIGN, aPhone(4), ENTRY)],
  ['undoCancel', (store) => store.undoCancel(CAMPAIGN, ENTRY)],
  ['suppress', (store) => store.suppress([A_SUPPRESSION])],
  ['unsuppress', (store) => store.unsuppress(A_SUPPRESSION)],
  [
    'addSuppressionFile',
    (store) =>
      store.addSuppressionFile({
        ...{ path: 'f', asOf: START, at: START, who: 'x', registry: null, areas: null },
      }),
  ],
  ['suppressionFiles', (store) => store.suppressionFiles()],
  ['callsWithResult', (store) => store.callsWithResult('campaign')],
  ['suppressingLists', (store) => store.suppressingLists(START)],
  [
    'takeBackList',
    (store) => store.takeBackList({ list: 'l', after: null, at: START, who: 'x', note: null }),
  ],
  ['waitingAreas', (store) => store.waitingAreas(CAMPAIGN)],
  [
    'suppressionPage',
    (store) => store.suppressionPage({ now: START, before: null, text: 'a', limit: 9 }),
  ],
  ['suppressions', (store) => store.suppressions({ now: START, after: null, limit: 9 })],
  [
    'lookUpPhones',
    (store) => store.lookUpPhones({ campaignId: CAMPAIGN, phones: [aPhone(4)], now: START }),
  ],
  [
    'earlierCalls',
    (store) =>
      store.earlierCalls({ campaignId: 'x', simulated: false, now: START, before: null, limit: 9 }),
  ],
  [
    'earlierCallsOf',
    (store) =>
      store.earlierCallsOf({ campaignId: 'x', simulated: false, now: START, phones: [aPhone(0)] }),
  ],
  [
    'sameLists',
    (store) => store.sameLists({ campaignId: 'x', simulated: false, sha256s: ['aa11'] }),
  ],
  ['cancelLead', (store) => store.cancelLead(CAMPAIGN, aPhone(4), ENTRY)],
  ['claim', (store) => store.claim(aClaim())],
  ['isProven', (store) => store.isProven('main-1')],
  ['recordDial', (store, attemptId) => store.recordDial(attemptId, placed('call_1'))],
  ['duePolls', (store) => store.duePolls(QUERY)],
  [
    'lateCalls',
    (store) =>
      store.lateCalls({
        ...{ campaignId: CAMPAIGN, service: 'main', since: 0 },
        ...{ askedBefore: null, after: null, limit: 1 },
      }),
  ],
  ['nextPollAt', (store) => store.nextPollAt(QUERY)],
  ['someMayWaitAgain', (store) => store.someMayWaitAgain(CAMPAIGN)],
  ['intentOwners', (store) => store.intentOwners(CAMPAIGN)],
  ['recentEnds', (store) => store.recentEnds({ service: 'main', agent: 'ag_1', limit: 1 })],
  ['servicesWithOpenCalls', (store) => store.servicesWithOpenCalls(null)],
  ['recordPoll', (store, attemptId) => store.recordPoll(attemptId, settled('call_1'))],
  ['sweep', (store) => store.sweep(aSweep())],
  [
    'inboxPut',
    (store) =>
      store.inboxPut({
        id: 'd1',
        service: 'main',
        key: 'e1',
        receivedAt: START,
        headers: {},
        body: new Uint8Array(),
        signed: false,
      }),
  ],
  ['dueDeliveries', (store) => store.dueDeliveries({ service: 'main', now: START, limit: 9 })],
  ['nextDeliveryAt', (store) => store.nextDeliveryAt('main')],
  ['openDoubts', (store) => store.openDoubts('main', 0)],
  ['matchDeliveries', (store) => store.matchDeliveries('main', [FACTS])],
  [
    'recordEvidence',
    (store, attemptId) =>
      store.recordEvidence(attemptId, {
        callId: 'call_1',
        at: START,
        nextPollAt: START,
        byNumber: true,
      }),
  ],
  ['decideDeliveries', (store) => store.decideDeliveries([DECISION])],
  ['wakeDeliveries', (store) => store.wakeDeliveries('main', START)],
  ['listDeliveries', (store) => store.listDeliveries({ state: null, service: null, limit: 9 })],
  ['findDelivery', (store) => store.findDelivery('d1')],
  ['replayDeliveries', (store) => store.replayDeliveries({ ids: ['d1'] }, START)],
  [
    'dropBodies',
    (store) => store.dropBodies({ service: 'main', from: 0, before: START, uselessBefore: 0 }),
  ],
  ['countDeliveries', (store) => store.countDeliveries()],
  ['capturedLeads', (store) => store.capturedLeads(CAMPAIGN, null, 9)],
  ['webhookToken', (store) => store.webhookToken('main', 'hook_1', START)],
  [
    'outboxPut',
    (store) => store.outboxPut({ campaignId: CAMPAIGN, at: START, body: A_BODY, to: [A_RECEIVER] }),
  ],
  ['openNights', (store) => store.openNights(null)],
  ['nightsSince', (store) => store.nightsSince(START)],
  ['outboxDue', (store) => store.outboxDue(START)],
  ['outboxTake', (store) => store.outboxTake(A_MESSAGE, START)],
  ['outboxTried', (store) => store.outboxTried(A_MESSAGE, { at: START, why: null, due: null })],
  ['undelivered', (store) => store.undelivered(0)],
  ['progress', (store) => store.progress(CAMPAIGN, START)],
  ['budget', (store) => store.budget(CAMPAIGN, START)],
  ['nights', (store) => store.nights(CAMPAIGN)],
  ['keepNightEnd', (store) => store.keepNightEnd(CAMPAIGN, '2026-01-05', 'hours')],
  ['takeNightResults', (store) => store.takeNightResults(CAMPAIGN, '2026-01-05', A_TAKER, null)],
  ['keepNightFile', (store) => store.keepNightFile(A_NIGHT_FILE)],
  ['nightDoubts', (store) => store.nightDoubts(CAMPAIGN)],
  ['finalLeads', (store) => store.finalLeads(CAMPAIGN, '2026-01-05')],
  ['slotShares', (store) => store.slotShares('main', START)],
  ['nextCall', (store) => store.nextCall(CAMPAIGN, aPhone(4), START)],
  [
    'claimGates',
    (store) => store.claimGates({ campaignId: CAMPAIGN, serviceSlots: null, now: START }),
  ],
  ['blankPeople', (store) => store.blankPeople(CAMPAIGN)],
  ['holdsOf', (store) => store.holdsOf(CAMPAIGN, aPhone(4))],
  ['placesOf', (store) => store.placesOf(CAMPAIGN, START)],
  ['firstDial', (store) => store.firstDial(CAMPAIGN, START)],
  ['waitingPeople', (store) => store.waitingPeople(CAMPAIGN, 1)],
  [
    'seenCalls',
    (store) => store.seenCalls({ service: 'main', agent: null, campaignId: null, limit: 9 }),
  ],
  ['heldSlots', (store) => store.heldSlots(CAMPAIGN, START)],
  ['doubts', (store) => store.doubts(CAMPAIGN)],
  [
    'resolve',
    (store, attemptId) =>
      store.resolve(attemptId, { as: 'unconfirmed', at: START, by: 'ada', note: null }),
  ],
  ['runnerSeen', (store) => store.runnerSeen(CAMPAIGN, ME, START)],
  ['runnerLeft', (store) => store.runnerLeft(CAMPAIGN, ME)],
  ['runners', (store) => store.runners(CAMPAIGN)],
  ['people', (store) => store.people({ campaignId: CAMPAIGN, after: null, limit: 9 })],
  ['peopleCounts', (store) => store.peopleCounts(CAMPAIGN)],
  ['zonesOf', (store) => store.zonesOf(CAMPAIGN)],
  ['endedCalls', (store) => store.endedCalls(CAMPAIGN, 20)],
  [
    'callsByMinute',
    (store) => store.callsByMinute(CAMPAIGN, { from: START - 9, now: START, longestMs: 9 }),
  ],
  ['exportPage', (store) => store.exportPage(CAMPAIGN, null, 9)],
  ['snapshot', (store) => store.snapshot(CAMPAIGN, async () => 1)],
  ['markExported', (store) => store.markExported(CAMPAIGN, [{ phone: aPhone(0), as: 'x' }])],
  ['findLeads', (store) => store.findLeads('nobody', 9)],
  ['attemptsOf', (store) => store.attemptsOf(CAMPAIGN, aPhone(0))],
  ['finishedCalls', (store) => store.finishedCalls(CAMPAIGN, null, 9)],
];

const FACTS = { callId: 'call_1', attemptKey: null, phone: null, agent: null, at: null };
const DECISION = {
  ...FACTS,
  id: 'd1',
  at: START,
  state: 'applied' as const,
  reason: null,
  type: null,
  attemptId: null,
  tryAt: null,
  lead: null,
};
