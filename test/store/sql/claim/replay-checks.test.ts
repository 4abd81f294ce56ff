import { expect, it } from 'vitest';
import type { CampaignSettings } from '../../../../src/domain/campaign.ts';
import { DAY_MS } from '../../../../src/domain/time-units.ts';
import type { NewLead, Store } from '../../../../src/store/port.ts';
import { obstacleStatements } from '../../../../src/store/sql/claim/obstacles.ts';
import { callingTimes } from '../../../../src/store/sql/claim/calling-times.ts';
import { replayTable } from '../../../../src/store/sql/claim/replays.ts';
import { sqlOf } from '../../../../src/store/sql/sql.ts';
import { tablesOf } from '../../../../src/store/sql/tables/tables.ts';
import { aPolicy, daily, DUBAI, LONDON } from '../../../conformance/store/calling/policies.ts';
import { again, DUE, REPLAY } from '../../../conformance/store/dialling/replays.ts';
import { HOUR, someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  dialled,
  ENTRY,
  exported,
  placed,
  rejected,
  settled,
  unknown,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aLead, aPhone, someSettings } from '../../../helpers/factory.ts';
import { aConnection, aDatabasePath, aRunningDatabase, change } from '../../sqlite/database.ts';

/*
 * Each check of a first dial holds for a dial whose answer was lost, too: what comes true in between keeps it from being
 * sent again, and the lost dial itself does not.
 */

interface Case {
  settings?: Partial<CampaignSettings>;
  leads?: NewLead[];
  /** What comes before the dial whose answer is lost. */
  before?: (store: Store, path: string) => Promise<unknown>;
  meanwhile: (store: Store, path: string) => Promise<unknown>;
}

const [OWN, SECOND, OTHER] = [aPhone(0), aPhone(1), aPhone(2)];
const AT_SECOND = { alternatives: [{ phone: SECOND, zoneKey: LONDON }] };
const second = (path: string, row: number): Promise<void> => {
  change(path, `UPDATE leads SET dial_phone = '${SECOND}' WHERE phone = '${aPhone(row)}'`);
  return Promise.resolve();
};
const set = (store: Store, settings: Partial<CampaignSettings>) =>
  store.changeCampaign(CAMPAIGN, { settings: someSettings(settings) }, ENTRY);
/** Another campaign calls this number, without any rule. */
const calledElsewhere = async (store: Store, phone = OWN, zoneKey = LONDON) => {
  await aRunningCampaign(store, { id: 'cmp_b', leads: [aLead(0, { phone, zoneKey })] });
  await dialled(store, placed('call_b'), { campaignId: 'cmp_b' });
};
const [PERSON, NOBODY] = [
  { key: 'id 7', name: '' },
  { key: 'id 8', name: '' },
];
const ONE_A_DAY = aPolicy({ caps: [{ calls: 1, perMs: DAY_MS }] });

const CASES: Record<string, Case> = {
  suppressed: {
    leads: [aLead(0, AT_SECOND)],
    before: (_, path) => second(path, 0),
    meanwhile: (store) => {
      const entry = { phone: OWN, at: START + 500, source: 'operator', who: 'operator' } as const;
      return store.suppress([{ ...entry, note: null, expiresAt: null }]);
    },
  },
  stoppedByList: { meanwhile: (store) => store.cancelLead(CAMPAIGN, OWN, ENTRY) },
  withoutConsent: {
    leads: [aLead(0, { zoneKey: LONDON, consentGiven: START - 2 * DAY_MS })],
    meanwhile: (store) => {
      const [rule] = aPolicy({}).rules;
      const rules = rule === undefined ? [] : [{ ...rule, consentMaxAgeMs: DAY_MS }];
      return set(store, { policy: aPolicy({}, { rules }) });
    },
  },
  taken: {
    leads: [aLead(0, AT_SECOND)],
    before: (_, path) => second(path, 0),
    meanwhile: (store) => addList(store, CAMPAIGN, [aLead(1)], { id: 'two', sha256: 'two' }),
  },
  rung: {
    leads: [aLead(2, { ...AT_SECOND, line: 2 }), aLead(0, { ...AT_SECOND, line: 3 })],
    before: async (store, path) => {
      await second(path, 2);
      await dialled(store, rejected());
      await second(path, 0);
    },
    // Late evidence says that the call was made after all.
    meanwhile: (_, path) => {
      change(
        path,
        `UPDATE attempts SET state = 'no_result', call_id = 'call_2' WHERE state = 'rejected'`,
      );
      return Promise.resolve();
    },
  },
  rungAsOther: {
    leads: [aLead(2, { person: NOBODY, line: 2 }), aLead(0, { person: PERSON, line: 3 })],
    before: async (store) => {
      await dialled(store, placed('call_2'));
    },
    meanwhile: (store) =>
      addList(store, CAMPAIGN, [aLead(2, { person: PERSON, line: 2 })], {
        id: 'two',
        sha256: 'two',
      }),
  },
  calledBefore: { settings: { skipCalled: 'ever' }, meanwhile: (store) => calledElsewhere(store) },
  closedElsewhere: {
    settings: { policy: aPolicy({ hours: daily(0, 24) }) },
    leads: [aLead(0, { zoneKey: LONDON })],
    meanwhile: async (store) => {
      await aRunningCampaign(store, { id: 'cmp_b', leads: [aLead(0, { zoneKey: DUBAI })] });
      const hour = new Date(START).getUTCHours();
      await set(store, { policy: aPolicy({ hours: daily(hour, hour + 2) }) });
    },
  },
  retried: {
    settings: { retry: someRetry({ attempts: 2, after: { no_answer: 0 } }) },
    before: async (store) => {
      const { attemptId } = await dialled(store, placed('call_1', START - HOUR), {
        now: START - HOUR,
      });
      const end = { at: START - HOUR, endedAt: START - HOUR, result: 'no_answer' } as const;
      await store.recordPoll(attemptId, settled('call_1', { ...end, source: 'service' }));
    },
    meanwhile: (store) => set(store, { retry: someRetry({ attempts: 2, lastDay: '2020-01-01' }) }),
  },
  capped: {
    settings: { policy: ONE_A_DAY },
    leads: [aLead(0, { zoneKey: LONDON, alternatives: [{ phone: OTHER, zoneKey: LONDON }] })],
    meanwhile: (store) => calledElsewhere(store),
  },
  blank: {
    meanwhile: (store) => set(store, { variables: { from: 'named', columns: ['no such column'] } }),
  },
  // What is not in the list of checks: whom, how and how often the campaign calls.
  'a list without them': {
    meanwhile: (store) => store.cancelWaiting(CAMPAIGN, [OWN], 'left_list'),
  },
  'another agent': { meanwhile: (store) => set(store, { agent: 'ag_2' }) },
  'a smaller budget': {
    settings: { stop: { calls: 1 } },
    before: async (store) => {
      await calledElsewhere(store, OTHER);
    },
    meanwhile: (store) => set(store, { stop: { calls: 0 } }),
  },
};

/** A dial whose answer was lost. */
async function lostDial({ settings = {}, leads = [aLead(0)], before }: Case) {
  const { path, store } = await aRunningDatabase({ settings, leads });
  await before?.(store, path);
  const lost = await dialled(store, unknown(), { replay: REPLAY });
  return { path, store, lost };
}

it('the cases below are those of the list of checks, and some more', async () => {
  const { path } = await lostDial({ meanwhile: () => Promise.resolve() });
  const sql = sqlOf(aConnection(path));
  const tables = tablesOf(sql);
  const campaign = tables.campaigns.getOften(CAMPAIGN);
  const checksOf = obstacleStatements(sql, tables);
  const { checks } = checksOf(campaign, callingTimes()(undefined), START);
  expect(Object.keys(CASES)).toEqual(expect.arrayContaining(checks.map(({ name }) => name)));
});

it.each(Object.entries(CASES))('%s: keeps a lost dial from being sent again', async (_, one) => {
  const control = await lostDial(one);
  expect((await control.store.claim(again({ want: 5 }))).intents).toMatchObject([
    { attemptId: control.lost.attemptId, replayed: true },
  ]);

  const { path, store, lost } = await lostDial(one);
  await one.meanwhile(store, path);
  const { intents } = await store.claim(again({ want: 5 }));
  expect(intents.filter(({ replayed }) => replayed)).toEqual([]);
  // The doubt stays, and holds its slot: somebody may be on the line.
  const row = (await exported(store)).find(({ attempt }) => attempt?.id === lost.attemptId);
  expect(row).toMatchObject({ state: 'calling', attempt: { state: 'unknown' } });
});

it('who was withdrawn or has left the list in a call is not called again, until that is undone', async () => {
  const retry = someRetry({ after: { no_answer: 0 } });
  const aCallOf = async (take: (store: Store) => Promise<unknown>) => {
    const { store, lost } = await lostDial({ settings: { retry }, meanwhile: take });
    await take(store);
    await store.recordDial(lost.attemptId, placed('call_1'));
    const end = { at: START + 900, endedAt: START + 900, result: 'no_answer' } as const;
    await store.recordPoll(lost.attemptId, settled('call_1', { ...end, source: 'service' }));
    return store;
  };
  const claim = aClaim({ now: START + HOUR });
  const withdraw = (store: Store) => store.cancelLead(CAMPAIGN, OWN, ENTRY);
  const leave = (store: Store) => store.cancelWaiting(CAMPAIGN, [OWN], 'left_list');
  const list = { id: 'two', sha256: 'two' };

  for (const take of [withdraw, leave]) {
    const store = await aCallOf(take);
    expect((await store.claim(claim)).intents).toEqual([]);
    expect(await exported(store)).toMatchObject([{ state: 'done', result: 'no_answer' }]);
  }
  const undone = await aCallOf(async (store) => {
    expect(await withdraw(store)).toBe('calling');
    expect(await store.undoCancelLead(CAMPAIGN, OWN, ENTRY)).toMatchObject({ state: 'calling' });
  });
  expect((await undone.claim(claim)).intents).toHaveLength(1);
  const back = await aCallOf(async (store) => {
    await leave(store);
    await addList(store, CAMPAIGN, [aLead(0)], list);
  });
  expect((await back.claim(claim)).intents).toHaveLength(1);
  const withdrawn = await aCallOf(async (store) => {
    await withdraw(store);
    await addList(store, CAMPAIGN, [aLead(0)], list);
  });
  expect((await withdrawn.claim(claim)).intents).toEqual([]);
});

it('the evidence of a call tells of each time that its dial was sent, as it was then', async () => {
  const { store, lost } = await lostDial({
    settings: { policy: aPolicy({ caps: [{ calls: 5, perMs: DAY_MS }] }) },
    leads: [aLead(0, { zoneKey: LONDON })],
    meanwhile: () => Promise.resolve(),
  });
  await calledElsewhere(store);
  const { intents } = await store.claim(again());
  expect(intents).toMatchObject([{ attemptId: lost.attemptId, replayed: true }]);

  // The oracle is the store's own export: what a court would be shown.
  const [row] = await store.attemptsOf(CAMPAIGN, OWN);
  expect(row?.attempt?.evidence).toMatchObject({
    caps: [{ made: 0 }],
    again: [{ at: new Date(DUE).toISOString(), caps: [{ made: 1 }], line: 2 }],
  });
});

it('the age of a dial is measured by the clock of the database, where it has one', () => {
  const sql = sqlOf(aConnection(aDatabasePath()));
  const replays = replayTable(sql, tablesOf(sql), () => START + 9);

  expect(replays.windowOf(again())).toMatchObject({ sentAt: START + 9 });
});
