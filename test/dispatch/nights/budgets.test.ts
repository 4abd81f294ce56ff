import { describe, expect, it } from 'vitest';
import { runCampaign } from '../../../src/run-campaign.ts';
import type { Campaign, Store } from '../../../src/store/port.ts';
import { aScene, ME } from '../../helpers/campaign-run.ts';
import { START } from '../../helpers/clock.ts';
import { busy, mixedAnswers } from '../../helpers/services/service-double.ts';

const HOUR = 3_600_000;
/** The tests begin at 10:00 in New York, and nights change there at 05:00. */
const NEXT_NIGHT = START + 19 * HOUR;

function change(store: Store, campaign: Campaign, stop: Campaign['settings']['stop']) {
  const settings = { ...campaign.settings, ...(stop && { stop }) };
  const entry = { at: START, who: 'operator', what: 'campaign.changed', detail: {} };
  return store.changeCampaign(campaign.id, { settings }, entry);
}

describe('a run with a budget', () => {
  it('ends when it is used up, with the night on which it goes on', async () => {
    const scene = await aScene({ leads: 30, settings: { ...busy(4), stop: { calls: 10 } } });

    expect(await scene.run()).toMatchObject({ dispatch: 'later', nextAt: NEXT_NIGHT });
    expect(scene.service.dials).toHaveLength(10);
    expect(await scene.run()).toMatchObject({ dispatch: 'later', nextAt: NEXT_NIGHT });
    expect(scene.service.dials).toHaveLength(10);
  });

  it('that was asked to stay goes on in the next night', async () => {
    // Closed from 10:00 to 10:10, so nights change at 10:05.
    const hours = { from: '10:10', to: '10:00' };
    const next = START + HOUR / 12;
    const scene = await aScene({ leads: 12, settings: { ...busy(4), hours, stop: { calls: 10 } } });

    expect(await scene.run({ waitUntil: next + HOUR })).toMatchObject({
      dispatch: 'none_waiting',
    });
    const times = scene.service.dials.map(({ at }) => at).toSorted((a, b) => a - b);
    expect(times).toHaveLength(12);
    expect(times.filter((at) => at < next)).toHaveLength(10);
  });

  it('ends when that of the campaign is used up, until somebody changes it', async () => {
    const stop = { total: { calls: 3 } };
    const scene = await aScene({ leads: 5, settings: { ...busy(4), stop } });

    expect(await scene.run()).toMatchObject({ dispatch: 'budget', nextAt: null });
    expect(scene.service.dials).toHaveLength(3);
    await change(scene.store, scene.campaign, { total: { calls: 9 } });
    expect(await scene.run()).toMatchObject({ dispatch: 'none_waiting' });
    expect(scene.service.dials).toHaveLength(5);
  });

  it('waits for calls in progress that may leave something of it', async () => {
    const settings = { ...busy(4), longestCallMs: 60_000, stop: { talkMinutes: 3 } };
    const scene = await aScene({ leads: 30, settings, dial: () => ({ talkMs: 20_000 }) });

    expect(await scene.run()).toMatchObject({ dispatch: 'later', nextAt: NEXT_NIGHT });
    const [night] = await scene.store.nights(scene.campaign.id);
    expect(night?.talkMs).toBeGreaterThan(2 * 60_000);
    expect(night?.talkMs).toBeLessThanOrEqual(3 * 60_000);
  });

  it('is kept to the call by three runners, whatever the service answers', async () => {
    const limits = { longestCallMs: 10_000, reconcileForMs: 60_000 };
    const settings = { ...busy(6), ...limits, stop: { calls: 50 } };
    const scene = await aScene({ leads: 100, settings, dial: mixedAnswers() });
    const runs = [1, 2, 3].map((n) => {
      const options = scene.options({ store: scene.openStore(), owner: { ...ME, pid: 4_710 + n } });
      return runCampaign(options);
    });

    await scene.night.pass(Promise.all(runs));

    // What the service refuses for good is no call.
    const [night] = await scene.store.nights(scene.campaign.id);
    expect(night).toMatchObject({ calls: 50, open: 0 });
    const rows = await scene.store.exportPage(scene.campaign.id, null, 1_000);
    const spent = rows.reduce((sum, { attempts }) => sum + attempts, 0);
    expect(spent).toBe(50 + (night?.refused ?? 0));
    expect(night?.refused).toBeGreaterThan(0);
  });
});
