import type { CampaignSettings } from '../../domain/campaign.ts';
import { nightEnd, type NightEnd } from '../../domain/nights/night-end.ts';
import { nightAt, type Night } from '../../domain/nights/night.ts';
import { nightFigures, NO_CALLS, sumOfNights } from '../../results/figures.ts';
import { usageError } from '../../runtime/errors.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { zonedTime } from '../../text/times.ts';
import { shellWord, someOf } from '../../text/wording.ts';
import type { Nights, NightView } from '../../views/results.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import { whoWorks } from '../run/run-events.ts';
import type { World } from '../world.ts';

type NightSettings = Pick<CampaignSettings, 'timezone' | 'hours' | 'policy'>;

/** Each call asks for its night. */
const lastAsked = new WeakMap<NightSettings, Night>();

/** The night of a campaign to which a moment (epoch ms) belongs, by the same zone data as its claim. */
export function campaignNight(at: number, settings: NightSettings): Night {
  const last = lastAsked.get(settings);
  if (last !== undefined && at >= last.beginsAt && at < last.endsAt) return last;
  const night = nightAt(at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? []));
  lastAsked.set(settings, night);
  return night;
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
  const found = given === 'last' ? last : nights.find((night) => shownNight(night) === given);
  if (found !== undefined) return found;
  if (last === undefined)
    throw usageError(
      'NIGHT_UNKNOWN',
      `Campaign "${name}" has called nobody yet, so it has no nights.`,
      `\`callsheet status ${shellWord(name)}\` says when calls begin`,
    );
  const known = nights.toReversed().map(shownNight);
  throw usageError(
    'NIGHT_UNKNOWN',
    `Campaign "${name}" has no night "${given}" with calls; there are ${someOf(known, NAMED)}.`,
    `take one of these, or last; \`callsheet report ${shellWord(name)} --by night\` lists all`,
  );
}

/** The nights of a campaign. @param request.limit how many at most */
export function listNights(
  request: CampaignRequest & { limit: number },
  world: World,
): Promise<Nights> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const { id, name, settings, state } = campaign;
    const { timezone } = settings;
    const iso = zonedTime(timezone);
    const rows = await store.nights(id);
    const figures = await nightFigures(store, id, rows);
    const isCalled = whoWorks(await store.runners(id), world).calls !== null;
    const tonight = campaignNight(world.clock.now(), settings).date;
    const older = Math.max(0, rows.length - request.limit);
    const items = rows.slice(older).map((row, index): NightView => {
      const { night, resultsFile, resultsMachine, resultsAt, endReason, endedBy } = row;
      const facts = { kept: endReason, endedBy, state, isCalled };
      const isLast = row === rows.at(-1);
      const end =
        night === '' ? null : nightEnd({ ...facts, isLast, isTonight: night === tonight });
      return {
        ...(figures[older + index] ?? NO_CALLS),
        night: shownNight(night),
        firstCallAt: iso(row.beganAt),
        lastCallAt: iso(row.lastAt),
        inProgress: row.open,
        ...{ end, endedBy, why: end === null ? null : endText(end, endedBy) },
        ...{ resultsFile, resultsMachine, resultsAt: resultsAt === null ? null : iso(resultsAt) },
      };
    });
    const totals = {
      nights: rows.filter(({ night }) => night !== '').length,
      ...sumOfNights(figures),
    };
    return { campaign: name, timezone, items, totals, older };
  });
}

/** A night as people name it: `''` stands for calls from before nights were kept. */
export const shownNight = (night: string) => (night === '' ? 'before' : night);

/** Why a night ended, in words that fit a column. */
function endText(end: NightEnd, endedBy: string | null): string {
  if (end !== 'budget') return ENDS[end];
  const [, key = '', total] = (endedBy ?? '').split('.');
  return total === undefined ? (BUDGETS[key] ?? ENDS.budget) : 'total budget';
}

const ENDS: Record<NightEnd, string> = {
  final: 'all final',
  cancelled: 'cancelled',
  paused: 'paused',
  budget: 'budget',
  hours: 'hours closed',
  due: 'nobody due',
  limit: 'limit of calls',
  until: 'time was up',
  interrupted: 'interrupted',
  person: 'needs a person',
  atWork: 'at work now',
  notKnown: 'not known',
};

/** By the key of `stop`. */
const BUDGETS: Record<string, string> = {
  calls: 'call budget',
  talkMinutes: 'talk budget',
  cost: 'cost budget',
  answered: 'answer budget',
  at: 'end by stop.at',
};
