import { forecastKnown, type ForecastReport } from '../../../src/app/plan/forecast.ts';
import { playNights } from '../../../src/app/rehearsal/play.ts';
import { withPolicy } from '../../../src/config/calling-settings.ts';
import { DEFAULT_PROFILE, findProfile } from '../../../src/config/profiles.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { DAY_MS } from '../../../src/domain/time-units.ts';
import { FastClock, FastTime } from '../../../src/runtime/fast-time.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import type { Campaign, NewLead } from '../../../src/store/port.ts';
import {
  openScratchStore,
  type ScratchStore,
} from '../../../src/store/sqlite/scratch/scratch-store.ts';
import { aRunningCampaign, ME } from '../../conformance/store/setup.ts';
import { aLead, someSettings } from '../../helpers/factory.ts';
import type { TriedCampaign } from './campaigns.ts';
import { serviceFor } from './service.ts';

/** How a forecast and the end that came differ. Times are epoch ms. */
export interface Trial {
  title: string;
  startAt: number;
  report: ForecastReport;
  /** When the last result was in. */
  endedAt: number;
  calls: number;
}

/** How many were called a week before, for the same agent: all that the forecast knows of how people answer. */
const EARLIER = 400;
const EARLIER_MS = 7 * DAY_MS;
const STEP_MS = 1_000;

/**
 * An earlier campaign is called, then the campaign is forecast at its start, and then it is called to its end by the
 * whole program. Who answers follows from the seed in the calls alone.
 */
export async function tryForecast(
  tried: TriedCampaign,
  seed: string,
  earlierPeople = EARLIER,
): Promise<Trial> {
  const { title, people, places, startAt } = tried;
  const scratch = openScratchStore();
  try {
    const placed = (n: number) => ({ zoneKey: places[n % places.length] ?? '' });
    const before = {
      ...tried.settings,
      rules: ['always'],
      concurrency: 10,
      hours: undefined,
      stop: undefined,
      pace: null,
    };
    const earlier = await begun(scratch, 'earlier', before, leads(50_000, earlierPeople, placed));
    await played(scratch, earlier, { ...tried, startAt: startAt - EARLIER_MS }, `${seed}/earlier`);
    const campaign = await begun(scratch, 'tried', tried.settings, leads(0, people, placed));
    const report = await forecastKnown({
      ...{ store: scratch.store, campaignId: campaign.id, settings: campaign.settings },
      ...{ service: 'main', maxCalls: null, retryDerived: false, fresh: [], leftOut: 0 },
      ...{ startAt, since: -Infinity, endsAt: Infinity },
    });
    scratch.begin(campaign.id);
    await played(scratch, campaign, tried, `${seed}/tried`);
    const calls = scratch.calls();
    const endedAt = Math.max(...calls.map(({ at, settledAt }) => settledAt ?? at));
    return { title, startAt, report, endedAt, calls: calls.length };
  } finally {
    await scratch.store.close();
  }
}

function leads(from: number, count: number, own: (n: number) => Partial<NewLead>): NewLead[] {
  return Array.from({ length: count }, (_, n) => aLead(from + n, { line: n + 2, ...own(n) }));
}

async function begun(
  { store }: ScratchStore,
  id: string,
  own: Partial<{ [K in keyof CampaignSettings]: CampaignSettings[K] | undefined }>,
  people: NewLead[],
): Promise<Campaign> {
  const plain = JSON.parse(JSON.stringify(own)) as Partial<CampaignSettings>;
  const given = someSettings({ ...plain, suppressionMaxAgeMs: null });
  const { settings } = withPolicy(given);
  const campaign = await aRunningCampaign(store, {
    ...{ id, settings, proven: false },
    leads: people.slice(0, 1_000),
  });
  for (let i = 1_000; i < people.length; i += 1_000) {
    await store.addLeads(`list-${id}`, people.slice(i, i + 1_000));
  }
  return campaign;
}

async function played(
  { store }: ScratchStore,
  campaign: Campaign,
  { startAt, mix, callbacks = 0 }: Pick<TriedCampaign, 'startAt' | 'mix' | 'callbacks'>,
  seed: string,
): Promise<void> {
  const time = new FastTime(new FastClock(startAt), STEP_MS);
  const { clock } = time;
  const here = { cwd: process.cwd(), home: process.cwd() };
  const { path, text } = findProfile(DEFAULT_PROFILE, here);
  const profile = loadProfile(text, path);
  const { agent } = campaign.settings;
  const service = serviceFor({ mix, callbacks, seed }, { profile, clock, agent });
  const end = await playNights({
    ...{ store: time.watch(store), campaign, service, maxCalls: null, time, owner: ME },
    stop: new AbortController().signal,
  });
  await service.close();
  if (end !== 'done') throw new Error(`${campaign.id} ended as ${end}`);
}
