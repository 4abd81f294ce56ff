import { describe, expect, it } from 'vitest';
import { runCampaign } from '../../../src/run-campaign.ts';
import type { Campaign } from '../../../src/store/port.ts';
import { addCampaign, aScene, ME, type Scene } from '../../helpers/campaign-run.ts';
import { aPhone } from '../../helpers/factory.ts';
import { busy } from '../../helpers/services/service-double.ts';

const FROM = 10_000;
const LEADS = 100;

/** Runs both campaigns in processes of their own, at one service that allows `maxCalls` at once. */
function bothRuns(scene: Scene, other: Campaign, maxCalls: number) {
  const dialAt = { service: scene.service, maxCalls };
  return Promise.all([
    runCampaign(scene.options({ dialAt })),
    runCampaign(
      scene.options({
        dialAt,
        campaign: other,
        store: scene.openStore(),
        owner: { ...ME, pid: 4_712 },
      }),
    ),
  ]);
}

describe('two campaigns at one service', () => {
  it('share its calls by their weights, and both end', async () => {
    const [one, two] = [1, 3];
    const slots = 8;
    const settings = { ...busy(12), weight: one };
    const dial = (_: unknown, n: number) => ({ talkMs: 2_000 + (n % 7) * 500 });
    const scene = await aScene({ leads: LEADS, settings, dial });
    const plan = {
      name: 'other',
      from: FROM,
      leads: LEADS,
      settings: { ...busy(12), weight: two },
    };
    const other = await addCampaign(scene.store, plan);

    await scene.night.pass(bothRuns(scene, other, slots));

    expect(scene.service.mostCalls).toBeLessThanOrEqual(slots);
    expect(scene.service.dials).toHaveLength(2 * LEADS);
    // While both are called: from the first calls of the second one on, until the one with the larger weight is done.
    const ofOther = scene.service.dials.map(({ phone }) => phone >= aPhone(FROM));
    const both = ofOther.slice(40, 100);
    const share = both.filter(Boolean).length / both.length;
    const fair = two / (one + two);
    expect(Math.abs(share - fair)).toBeLessThan(0.05 * fair);
  });
});
