import type { CampaignSettings } from '../../domain/campaign.ts';
import { MoneySum } from '../../domain/money.ts';
import { nightEnd, type NightEnd } from '../../domain/nights/night-end.ts';
import { nightAt, type Night } from '../../domain/nights/night.ts';
import { nightFigures, NO_CALLS, type NightFigures } from '../../results/figures.ts';
import { usageError } from '../../runtime/errors.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, NightRow, Store } from '../../store/port.ts';
import { shellWord, someOf } from '../../text/wording.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import { whoWorks } from '../run/who-works.ts';
import type { World } from '../world.ts';

/** What decides a campaign's nights. */
type NightSettings = Pick<CampaignSettings, 'timezone' | 'hours' | 'policy'>;

/** The night of a campaign to which a moment (epoch ms) belongs, by the same zone data as its claim. */
export function campaignNight(at: number, settings: NightSettings): Night {
  return nightAt(at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []));
}

export interface NightRequest {
  /** A date such as `2026-01-05`, `last`, or `before` for calls from before nights were kept; undefined: all nights. */
  night: string | undefined;
}

/** More than this many nights are not named in an error. */
const NAMED = 7;

/**
 * The night that somebody names, as the store has it: its date, `''` for `before`; null: none is named.
 *
 * @throws AppError `NIGHT_UNKNOWN` (exit 2), with the nights that there are
 */
export async function findNight(
  store: Pick<Store, 'nights'>,
  { id, name }: Pick<Campaign, 'id' | 'name'>,
  given: NightRequest['night'],
): Promise<string | null> {
  if (given === undefined) return null;
  const nights = (await store.nights(id)).map(({ night }) => night);
  const last = nights.at(-1);
  const found =
    given === 'last' ? last : nights.find((night) => (night === '' ? 'before' : night) === given);
  if (found !== undefined) return found;
  if (last === undefined)
    throw usageError(
      'NIGHT_UNKNOWN',
      `Campaign "${name}" has called nobody yet, so it has no nights.`,
      `\`callsheet status ${shellWord(name)}\` says when calls begin`,
    );
  const known = nights.toReversed().map((night) => (night === '' ? 'before' : night));
  throw usageError(
    'NIGHT_UNKNOWN',
    `Campaign "${name}" has no night "${given}" with calls; there are ${someOf(known, NAMED)}.`,
    `take one of these, or last; \`callsheet nights ${shellWord(name)}\` lists all`,
  );
}

/** One night of a campaign. */
export interface NightView
  extends
    NightFigures,
    Pick<NightRow, 'beganAt' | 'lastAt' | 'open' | 'resultsFile' | 'resultsAt'> {
  /** Null: calls from before nights were kept, which no single night has made. */
  end: NightEnd | null;
}

/** All nights of a campaign together. */
export type NightTotals = Omit<NightFigures, 'night' | 'endedBy'> & { nights: number };

export interface NightList {
  campaign: string;
  timezone: string;
  /** The newest ones, the first one first. */
  nights: NightView[];
  totals: NightTotals;
  /** How many older ones are left out. */
  older: number;
}

/** The nights of a campaign. @param request.limit how many at most */
export function listNights(
  request: CampaignRequest & { limit: number },
  world: World,
): Promise<NightList> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const { id, name, settings, state } = campaign;
    const rows = await store.nights(id);
    const figures = await nightFigures(store, id, rows);
    const isCalled = whoWorks(await store.runners(id), world).calls !== null;
    const tonight = campaignNight(world.clock.now(), settings).date;
    const all = rows.map((row, index): NightView => {
      const { night, beganAt, lastAt, open, resultsFile, resultsAt, endReason, endedBy } = row;
      const facts = { kept: endReason, endedBy, state, isCalled };
      const isLast = index === rows.length - 1;
      const isTonight = night === tonight;
      return {
        ...(figures[index] ?? { ...NO_CALLS, night }),
        ...{ beganAt, lastAt, open, resultsFile, resultsAt },
        end: night === '' ? null : nightEnd({ ...facts, isLast, isTonight }),
      };
    });
    const nights = all.slice(-request.limit);
    const older = all.length - nights.length;
    return { campaign: name, timezone: settings.timezone, nights, totals: totalsOf(all), older };
  });
}

function totalsOf(nights: readonly NightFigures[]): NightTotals {
  const sum = (value: (night: NightFigures) => number) =>
    nights.reduce((total, night) => total + value(night), 0);
  const costs = new Map<string, MoneySum>();
  for (const { currency, total } of nights.flatMap((night) => night.costs)) {
    const before = costs.get(currency) ?? new MoneySum();
    before.add(total);
    costs.set(currency, before);
  }
  return {
    nights: nights.filter(({ night }) => night !== '').length,
    made: sum(({ made }) => made),
    refused: sum(({ refused }) => refused),
    inDoubt: sum(({ inDoubt }) => inDoubt),
    notMade: sum(({ notMade }) => notMade),
    ended: sum(({ ended }) => ended),
    answered: sum(({ answered }) => answered),
    talkMs: sum(({ talkMs }) => talkMs),
    costs: Array.from(costs, ([currency, total]) => ({ currency, total: total.toString() })),
  };
}
