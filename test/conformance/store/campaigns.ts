import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, CREATED, someSettings } from '../../helpers/factory.ts';
import {
  aClaim,
  addList,
  aList,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  rejected,
  someLeads,
  type OpenStore,
} from './setup.ts';

export function campaignRules(open: OpenStore): void {
  describe('campaigns', () => {
    it('begin as drafts with everything that was given', async () => {
      const { store } = await open();
      const campaign = aCampaign({ simulated: true, settings: { pace: { count: 1, perMs: 500 } } });

      const created = await store.createCampaign(campaign, CREATED);

      const pause = { pauseReason: null, pauseDetail: null };
      const expected = { ...campaign, state: 'draft', ...pause, version: 1 };
      expect(created).toEqual(expected);
      expect(await store.findCampaign('spring')).toEqual(expected);
      expect(await store.findCampaign('autumn')).toBeUndefined();
    });

    it('begin with the first line of their history, and one that is refused leaves none', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await store.createCampaign(aCampaign({ id: 'cmp_other' }), CREATED).catch(() => undefined);

      expect(await store.history(CAMPAIGN)).toEqual([CREATED]);
      expect(await store.history('cmp_other')).toEqual([]);
    });

    it('have names of their own', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);

      const second = store.createCampaign(aCampaign({ id: 'cmp_other' }), CREATED);

      await expect(second).rejects.toThrow('There is a campaign "spring" already.');
      await expect(second).rejects.toMatchObject({
        name: 'AppError',
        code: 'CAMPAIGN_EXISTS',
        exitCode: 2,
      });
      expect(await store.listCampaigns()).toHaveLength(1);
    });

    it('are listed oldest first', async () => {
      const { store } = await open();
      await store.createCampaign(
        aCampaign({ id: 'cmp_b', name: 'b', createdAt: START + 1 }),
        CREATED,
      );
      await store.createCampaign(
        aCampaign({ id: 'cmp_a', name: 'a', createdAt: START + 2 }),
        CREATED,
      );

      expect((await store.listCampaigns()).map(({ name }) => name)).toEqual(['b', 'a']);
    });

    it('change only in what was asked', async () => {
      const { store } = await open();
      const created = await store.createCampaign(aCampaign(), CREATED);
      const settings = someSettings({ concurrency: 20 });

      expect(await store.changeCampaign(CAMPAIGN, { settings }, ENTRY)).toEqual({
        ...created,
        settings,
        version: 2,
      });
      expect(await store.changeCampaign(CAMPAIGN, { service: 'other' }, ENTRY)).toEqual({
        ...created,
        settings,
        service: 'other',
        version: 3,
      });
    });

    it('count their changes, and what was not changed is not counted', async () => {
      const { store } = await open();
      const { version } = await store.createCampaign(aCampaign(), CREATED);
      await store.changeCampaign(CAMPAIGN, { state: 'completed' }, ENTRY);
      await store.addHistory(CAMPAIGN, ENTRY);

      expect((await store.findCampaign('spring'))?.version).toBe(version);

      await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
      await store.undoCancel(CAMPAIGN, ENTRY);

      expect((await store.findCampaign('spring'))?.version).toBe(version + 2);
    });

    it('are not changed by who has seen an earlier version, who is told of the last change', async () => {
      const { store } = await open();
      const { version } = await store.createCampaign(aCampaign(), CREATED);
      const detail = { live: false, concurrency: { from: '5', to: '20' } };
      const first = { ...ENTRY, who: 'ada', what: 'campaign.changed', detail };
      const settings = someSettings({ concurrency: 20 });
      const changed = await store.changeCampaign(CAMPAIGN, { settings, ifVersion: version }, first);
      const later = { service: 'other', ifVersion: version };
      const second = { ...ENTRY, who: 'bob', what: 'campaign.changed' };

      await expect(store.changeCampaign(CAMPAIGN, later, second)).rejects.toMatchObject({
        code: 'CAMPAIGN_CHANGED',
        exitCode: 2,
        message:
          'Campaign "spring" was changed since you looked at it; nothing was done. ' +
          'The last change: ada changed the settings: concurrency from 5 to 20.',
      });

      expect(await store.findCampaign('spring')).toEqual(changed);
      expect(await store.history(CAMPAIGN)).toEqual([CREATED, first]);
      const again = { ...later, ifVersion: changed.version };
      expect((await store.changeCampaign(CAMPAIGN, again, second)).service).toBe('other');
    });

    it('of two changes made for one version at once take the first alone', async () => {
      const { store, beside } = await open();
      const { version } = await store.createCampaign(aCampaign(), CREATED);
      const other = await beside();
      const pause = { reason: 'operator', detail: 'lunch' } as const;

      const outcomes = await Promise.allSettled([
        store.changeCampaign(CAMPAIGN, { pause, ifVersion: version }, ENTRY),
        other.changeCampaign(CAMPAIGN, { state: 'running', ifVersion: version }, ENTRY),
      ]);

      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await store.findCampaign('spring'))?.version).toBe(version + 1);
    });

    it('pause with a reason and forget it when resumed', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const pause = { reason: 'profile', detail: 'the line of a person' } as const;

      const paused = await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);
      const changed = await store.changeCampaign(CAMPAIGN, { service: 'other' }, ENTRY);
      const resumes = { state: 'running', resumes: true } as const;
      const resumed = await store.changeCampaign(CAMPAIGN, resumes, ENTRY);

      const asPaused = { state: 'paused', pauseReason: 'profile', pauseDetail: pause.detail };
      expect(paused).toMatchObject(asPaused);
      expect(changed).toMatchObject(asPaused);
      expect(resumed).toMatchObject({ state: 'running', pauseReason: null, pauseDetail: null });
    });

    it("keep the operator's pause when the program would pause too", async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const ours = { reason: 'operator', detail: 'lunch' } as const;
      await store.changeCampaign(CAMPAIGN, { pause: ours }, ENTRY);

      const pause = { reason: 'breaker', detail: '5 errors in a row' } as const;
      const campaign = await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);

      expect(campaign).toMatchObject({ pauseReason: 'operator', pauseDetail: 'lunch' });
    });

    it.each([
      ['completed', 'operator'],
      ['cancelled', 'operator'],
      ['completed', 'breaker'],
      ['cancelled', 'profile'],
    ] as const)(
      'stay %s when somebody would pause them (%s), and have no entry of that',
      async (state, reason) => {
        const { store } = await open();
        await store.createCampaign(aCampaign(), CREATED);
        await store.changeCampaign(CAMPAIGN, { state: 'running' }, ENTRY);
        const ended = await store.changeCampaign(CAMPAIGN, { state }, ENTRY);
        const before = await store.history(CAMPAIGN);

        const pause = { reason, detail: 'lunch' } as const;
        const left = await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);

        expect(left).toEqual(ended);
        expect(await store.history(CAMPAIGN)).toEqual(before);
      },
    );

    it("keep the operator's pause when the program would go on, and have no entry of that", async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const pause = { reason: 'operator', detail: 'lunch' } as const;
      const paused = await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);
      const before = await store.history(CAMPAIGN);

      const left = await store.changeCampaign(CAMPAIGN, { state: 'running' }, ENTRY);

      expect(left).toEqual(paused);
      expect(await store.history(CAMPAIGN)).toEqual(before);
    });

    it('never run again once they are cancelled', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);

      const pause = { reason: 'breaker', detail: '5 errors in a row' } as const;
      await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);
      await store.changeCampaign(CAMPAIGN, { state: 'running' }, ENTRY);

      expect(await store.findCampaign('spring')).toMatchObject({
        state: 'cancelled',
        pauseReason: null,
      });
    });

    it('are completed once, and only while they run', async () => {
      const store = await aRunningStore(open, { leads: 0 });
      const entry: HistoryEntry = { ...ENTRY, what: 'campaign.completed' };
      const pause = { reason: 'operator', detail: '' } as const;
      const completed = async () =>
        (await store.history(CAMPAIGN)).filter(({ what }) => what === entry.what).length;

      await store.changeCampaign(CAMPAIGN, { pause }, ENTRY);
      const paused = await store.changeCampaign(CAMPAIGN, { state: 'completed' }, entry);
      expect([paused.state, await completed()]).toEqual(['paused', 0]);
      await store.changeCampaign(CAMPAIGN, { state: 'running', resumes: true }, ENTRY);
      await store.changeCampaign(CAMPAIGN, { state: 'completed' }, entry);
      const again = await store.changeCampaign(CAMPAIGN, { state: 'completed' }, entry);
      expect([again.state, await completed()]).toEqual(['completed', 1]);
    });

    it('are not completed while somebody waits or is called, or a list is not in', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const complete = async () =>
        (await store.changeCampaign(CAMPAIGN, { state: 'completed' }, ENTRY)).state;

      const waiting = await complete();
      const { attemptId } = await claimedOne(store);
      const calling = await complete();
      await store.recordDial(attemptId, rejected());
      const { id } = await store.beginList(CAMPAIGN, aList({ sha256: 'bb22' }));
      const importing = await complete();
      await store.finishList(id, { good: 0, rejected: 0, duplicates: 0 });

      expect([waiting, calling, importing]).toEqual(['running', 'running', 'running']);
      expect(await complete()).toBe('completed');
    });

    it('keep their history in order, with the change that belongs to a line', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const lines: HistoryEntry[] = [
        { at: START + 5, who: 'ann', what: 'campaign.started', detail: { leads: 3 } },
        { at: START + 2, who: 'callsheet', what: 'clock.moved', detail: { byMs: -3 } },
      ];
      const [started, moved] = lines as [HistoryEntry, HistoryEntry];

      await store.changeCampaign(CAMPAIGN, { state: 'running' }, started);
      await store.addHistory(CAMPAIGN, moved);

      expect(await store.history(CAMPAIGN)).toEqual([CREATED, ...lines]);
      expect(await store.history('cmp_other')).toEqual([]);
    });

    it('are there again after a restart', async () => {
      const { store, reopen } = await open();
      const campaign = await store.createCampaign(aCampaign(), CREATED);
      await store.addHistory(CAMPAIGN, ENTRY);

      const again = await reopen();

      expect(await again.listCampaigns()).toEqual([campaign]);
      expect(await again.history(CAMPAIGN)).toEqual([CREATED, ENTRY]);
    });

    it('can have another name, unless it is taken', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await store.createCampaign(aCampaign({ id: 'cmp_b', name: 'b' }), CREATED);

      const renamed = await store.changeCampaign(CAMPAIGN, { name: 'summer' }, ENTRY);

      expect(renamed.name).toBe('summer');
      expect(await store.findCampaign('spring')).toBeUndefined();
      const taken = store.changeCampaign(CAMPAIGN, { name: 'b' }, ENTRY);
      await expect(taken).rejects.toMatchObject({ code: 'CAMPAIGN_EXISTS', exitCode: 2 });
      expect(await store.history(CAMPAIGN)).toEqual([CREATED, ENTRY]);
    });

    it('that are put away give nobody to call and take no list, until they are taken back', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const putAway = () => store.changeCampaign(CAMPAIGN, { archivedAt: START }, ENTRY);
      await expect(putAway()).rejects.toThrow('Campaign "cmp_spring" is not done: 1 waiting');
      await store.cancelWaiting(CAMPAIGN, [aLead(0).phone], 'gone');

      const another = { id: 'list_2', sha256: 'bb22' };

      expect((await putAway()).archivedAt).toBe(START);

      expect(await store.claim(aClaim())).toMatchObject({ intents: [], shortfall: 'not_running' });
      const list = addList(store, CAMPAIGN, someLeads(1, 1), another);
      await expect(list).rejects.toMatchObject({ code: 'CAMPAIGN_ARCHIVED' });
      const back = await store.changeCampaign(CAMPAIGN, { archivedAt: null }, ENTRY);
      expect(back).not.toHaveProperty('archivedAt');
      await addList(store, CAMPAIGN, someLeads(1, 1), another);
      expect((await store.claim(aClaim())).intents).toHaveLength(1);
    });

    it('must exist to be changed', async () => {
      const { store } = await open();

      await expect(store.changeCampaign('cmp_none', { state: 'running' }, ENTRY)).rejects.toThrow(
        'cmp_none',
      );
    });
  });
}
