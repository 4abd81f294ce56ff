import { beforeEach, describe, expect, it } from 'vitest';
import type { NewNotice, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aRunningCampaign, CAMPAIGN, claimedOne, placed, type OpenStore } from '../setup.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPS = { target: 'aa', shown: 'command tell' };
const CHAT = { target: 'bb', shown: 'https://chat.example.com' };

const aNotice = (overrides: Partial<NewNotice> = {}): NewNotice => {
  const id = overrides.id ?? 'ntc_1';
  return {
    ...{ id, campaignId: CAMPAIGN, night: '2026-01-05', event: 'attention', reason: 'key' },
    ...{ at: START, body: { id, text: `text of ${id}` }, to: [OPS] },
    ...overrides,
  };
};

export function noticeRules(open: OpenStore): void {
  describe('notices', () => {
    let store: Store;
    let beside: () => Promise<Store>;
    let reopen: () => Promise<Store>;
    beforeEach(async () => {
      ({ store, beside, reopen } = await open());
      await aRunningCampaign(store);
    });
    const claim = (of: Store, now: number, by = 'lease_1', targets = ['aa', 'bb']) =>
      of.claimNotices({ targets, by, now, leaseMs: 60_000, limit: 9 });
    const due = (now: number) => store.dueTargets({ now, leaseMs: 60_000 });

    it('are given out once to each receiver, the oldest first', async () => {
      expect(await store.addNotice(aNotice({ to: [OPS, CHAT] }))).toBe('written');
      await store.addNotice(aNotice({ id: 'ntc_2' }));
      expect((await due(START)).toSorted()).toEqual(['aa', 'bb']);

      const sends = await claim(store, START);
      expect(sends.map(({ id, target, tries }) => [id, target, tries])).toEqual([
        ['ntc_1', 'aa', 1],
        ['ntc_1', 'bb', 1],
        ['ntc_2', 'aa', 1],
      ]);
      expect(sends[0]).toMatchObject({ at: START, campaignId: CAMPAIGN, folded: [] });
      expect(sends[0]?.body).toEqual({ id: 'ntc_1', text: 'text of ntc_1' });
      for (const send of sends) await store.noticeSent(send, START + 5);
      expect(await due(START + DAY)).toEqual([]);
    });

    it('are not given out to another process while one has them, and again when it has died', async () => {
      await store.addNotice(aNotice());
      expect(await claim(store, START)).toHaveLength(1);
      const other = await beside();
      expect(await claim(other, START + 59_999, 'lease_2')).toEqual([]);
      expect(await claim(other, START + 60_000, 'lease_2')).toMatchObject([
        { id: 'ntc_1', tries: 2 },
      ]);
    });

    it('survive the end of the process that wrote them', async () => {
      await store.addNotice(aNotice());
      expect(await claim(await reopen(), START)).toHaveLength(1);
    });

    it('go out again at the time that was set for them, or never when they are given up', async () => {
      await store.addNotice(aNotice());
      const send = { id: 'ntc_1', target: 'aa', by: 'lease_1' };
      await claim(store, START);
      const at = START + 1_000;
      await store.noticeFailed(send, { at, why: 'HTTP 503', nextAt: START + 10_000 });
      expect(await due(START + 9_999)).toEqual([]);
      expect(await claim(store, START + 10_000)).toMatchObject([{ tries: 2 }]);
      await store.noticeFailed(send, { at: START + 11_000, why: 'HTTP 500', nextAt: null });
      expect(await due(START + DAY)).toEqual([]);
      expect(await store.undeliveredNotices(START)).toMatchObject([
        {
          id: 'ntc_1',
          campaign: CAMPAIGN,
          shown: 'command tell',
          state: 'given_up',
          why: 'HTTP 500',
        },
      ]);
      expect(await store.undeliveredNotices(START + 1)).toEqual([]);
    });

    it('that wait after a failure are listed, those that nobody tried are not', async () => {
      await store.addNotice(aNotice());
      expect(await store.undeliveredNotices(0)).toEqual([]);
      await claim(store, START);
      const send = { id: 'ntc_1', target: 'aa', by: 'lease_1' };
      await store.noticeFailed(send, { at: START, why: 'HTTP 503', nextAt: START + 10_000 });
      expect(await store.undeliveredNotices(0)).toMatchObject([
        { state: 'waiting', tries: 1, why: 'HTTP 503', nextAt: START + 10_000 },
      ]);
    });

    it('a failure counts only from the process that has the notice, a success from whichever', async () => {
      await store.addNotice(aNotice());
      await claim(store, START, 'slow');
      await claim(store, START + 60_000, 'second');
      const send = { id: 'ntc_1', target: 'aa' };
      const end = { at: START, why: 'late', nextAt: null };
      await store.noticeFailed({ ...send, by: 'slow' }, end);
      expect(await store.undeliveredNotices(0)).toEqual([]);
      await store.noticeSent(send, START + 61_000);
      await store.noticeFailed({ ...send, by: 'second' }, end);
      expect(await due(START + DAY)).toEqual([]);
      expect(await store.undeliveredNotices(0)).toEqual([]);
    });

    it('go out although the clock was set back since they were claimed or put off', async () => {
      await store.addNotice(aNotice());
      await claim(store, START + DAY);
      expect(await claim(store, START, 'lease_2')).toHaveLength(1);
      const send = { id: 'ntc_1', target: 'aa', by: 'lease_2' };
      await store.noticeFailed(send, { at: START, why: 'x', nextAt: START + DAY });
      expect(await claim(store, START + 1)).toHaveLength(1);
    });

    it('equal ones are one, and how often they came goes with the next that this receiver gets', async () => {
      await store.addNotice(aNotice());
      expect(await store.addNotice(aNotice({ at: START + 1_000 }))).toBe('folded');
      expect(await store.addNotice(aNotice({ at: START + 2_000 }))).toBe('folded');
      expect(await claim(store, START + 2_000)).toMatchObject([{ id: 'ntc_1', folded: [] }]);

      await store.addNotice(aNotice({ id: 'ntc_chat', event: 'started', to: [CHAT] }));
      await store.addNotice(
        aNotice({ id: 'ntc_2', event: 'finished', reason: 'run', to: [OPS, CHAT] }),
      );
      await store.addNotice(aNotice({ id: 'ntc_3', event: 'finished', reason: 'night' }));
      const sends = await claim(store, START + 3_000);
      const folded = new Map(sends.map((send) => [`${send.id} ${send.target}`, send.folded]));
      expect(folded.get('ntc_2 aa')).toEqual([
        {
          ...{ event: 'attention', reason: 'key', night: '2026-01-05', text: 'text of ntc_1' },
          ...{ times: 2, lastAt: START + 2_000 },
        },
      ]);
      for (const key of ['ntc_2 bb', 'ntc_3 aa', 'ntc_chat bb'])
        expect(folded.get(key)).toEqual([]);
    });

    it('that several processes see by themselves are not counted as repeats', async () => {
      await store.addNotice(aNotice({ event: 'started' }));
      await store.addNotice(aNotice({ event: 'started' }));
      await store.addNotice(aNotice({ id: 'ntc_2', event: 'finished', reason: 'run' }));
      expect((await claim(store, START)).map(({ folded }) => folded)).toEqual([[], []]);
    });

    it('to receivers that nobody knows are given up when they are old, others are not', async () => {
      await store.addNotice(aNotice({ to: [OPS, CHAT] }));
      await store.addNotice(aNotice({ id: 'ntc_2', at: START + DAY, to: [CHAT] }));
      expect(await store.expireNotices(['aa'], START + 1, 'gone')).toMatchObject([
        { id: 'ntc_1', shown: 'https://chat.example.com', state: 'given_up', why: 'gone' },
      ]);
      expect(await claim(store, START + DAY)).toMatchObject([
        { id: 'ntc_1', target: 'aa' },
        { id: 'ntc_2', target: 'bb' },
      ]);
      expect(await store.expireNotices(['aa'], START + 1, 'gone')).toEqual([]);
    });

    it('are forgotten after ninety days, unless they still wait', async () => {
      await store.addNotice(aNotice());
      await store.addNotice(aNotice({ id: 'ntc_2' }));
      await store.noticeSent({ id: 'ntc_1', target: 'aa' }, START);
      await store.addNotice(aNotice({ id: 'ntc_3', at: START + 91 * DAY }));
      expect(await store.addNotice(aNotice({ to: [] }))).toBe('written');
      expect(await store.addNotice(aNotice({ id: 'ntc_2' }))).toBe('folded');
    });

    it('a night is open from its first call until something is written of its end', async () => {
      const night = { night: '2026-01-05', to: [] };
      expect(await store.openNights(null)).toEqual([]);
      await store.addNotice(aNotice({ ...night, event: 'started', reason: 'calls' }));
      const isOpen = { campaignId: CAMPAIGN, night: '2026-01-05' };
      expect(await store.openNights(null)).toEqual([{ ...isOpen, toldCalls: null }]);
      expect(await store.openNights('cmp_other')).toEqual([]);
      const body = { tonight: { calls: 7 } };
      const end = { ...night, event: 'finished' as const, body };
      await store.addNotice(aNotice({ ...end, id: 'ntc_2', reason: 'run' }));
      expect(await store.openNights(CAMPAIGN)).toEqual([{ ...isOpen, toldCalls: 7 }]);
      await store.addNotice(aNotice({ ...end, id: 'ntc_3', reason: 'night' }));
      expect(await store.openNights(null)).toEqual([]);
    });

    it('nights are found by their last call', async () => {
      const { attemptId } = await claimedOne(store);
      const nights = async (since: number) =>
        (await store.nightsSince(since)).filter(({ campaignId }) => campaignId === CAMPAIGN);
      expect(await nights(0)).toEqual([]);
      await store.recordDial(attemptId, placed('call_1'));
      const [{ night } = { night: '' }] = await store.nights(CAMPAIGN);
      expect(await nights(START)).toEqual([{ campaignId: CAMPAIGN, night, beganAt: START }]);
      expect(await nights(START + 1)).toEqual([]);
    });
  });
}
