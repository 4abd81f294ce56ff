import type { Log } from '../../runtime/log.ts';
import type { Campaign } from '../../store/port.ts';
import { findCampaign, databasePlaces } from '../places/databases.ts';
import { unknownCampaign } from '../places/unknown-campaign.ts';
import { knownServices, type ServiceRequest } from '../services/service.ts';
import type { World } from '../world.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import { send } from './send.ts';
import { receivers } from './targets.ts';

/** What became of a test notice to one receiver. */
export interface TriedReceiver {
  /** The name of the program, or the origin of the address. */
  to: string;
  /** What it would be told of. */
  on: readonly string[];
  ok: boolean;
  /** Why it did not come; null: it came. */
  why: string | null;
}

interface TryRequest extends Pick<ServiceRequest, 'services' | 'db'> {
  /** The receivers of this campaign, too; undefined: those of services.yaml alone. */
  campaign: string | undefined;
}

/**
 * Sends a notice with the event `test` to every receiver, once and at once; writes nothing.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, those of services.yaml (exit 2)
 */
export async function tryNotices(
  request: TryRequest,
  log: Log,
  world: World,
): Promise<{ tried: TriedReceiver[]; services: string }> {
  const { notify: own = [], path } = knownServices(request, world);
  const campaign = await campaignOf(request, world);
  const id = world.newId('ntc_test');
  const now = world.clock.now();
  const { name = null, settings } = campaign ?? {};
  const text = `${name === null ? '' : `${name}: `}this is a test of callsheet; nobody has to do anything.`;
  const notice = {
    id,
    event: 'test',
    reason: 'test',
    campaign: name,
    night: campaignNight(now, settings ?? world).date,
    at: new Date(now).toISOString(),
    text,
  };
  const known = receivers(own, settings === undefined ? [] : [settings]);
  const wanted = [...known.values()].filter(({ to }) => to.on.length > 0);
  const tried = wanted.map(async (receiver) => {
    const json = JSON.stringify(notice);
    const result = await send(receiver, { ...notice, json }, log, world);
    const why = result.ok ? null : result.why;
    return { to: receiver.shown, on: receiver.to.on, ok: result.ok, why };
  });
  return { tried: await Promise.all(tried), services: path };
}

async function campaignOf(request: TryRequest, world: World): Promise<Campaign | undefined> {
  const { campaign: name } = request;
  if (name === undefined) return undefined;
  const found = await findCampaign(name, request, world);
  if (found !== undefined) return found.campaign;
  throw await unknownCampaign(name, databasePlaces(request, world), request, world);
}
