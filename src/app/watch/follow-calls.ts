import type { ExportRow } from '../../store/port.ts';
import type { CalledPerson } from '../../views/calls.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { whoWorks } from '../run/who-works.ts';
import type { World } from '../world.ts';
import { calledPeople } from './calls.ts';

const LOOK_EVERY_MS = 1_000;

export interface FollowRequest extends CampaignRequest {
  /** How many of the newest calls are shown first. */
  newest: number;
  /** Ends after those, without waiting for more. */
  once: boolean;
  /** Aborts when nobody wants to see more. */
  stop: AbortSignal;
}

/** Reports every call when it ends, in order, until the campaign is over. @returns false when it was stopped */
export function followCalls(
  request: FollowRequest,
  onCalls: (finished: CalledPerson[]) => void,
  world: World,
): Promise<boolean> {
  const { newest, once, stop } = request;
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    // The lists are read again each time, because one may have been added.
    const report = async (calls: ExportRow[]) => {
      onCalls(calls.map(calledPeople(campaign, await store.lists(campaign.id))));
    };
    const first = await store.finishedCalls(campaign.id, null, newest);
    let { cursor } = first;
    await report(first.calls);
    let isWaiting = false;
    while (!once) {
      // Asked before the calls are read, so that a call that ends in between is not missed.
      const over = await isOver(open);
      const { calls, ...found } = await store.finishedCalls(campaign.id, cursor, 0);
      ({ cursor } = found);
      if (calls.length > 0) await report(calls);
      if (over) break;
      if (!isWaiting && whoWorks(await store.runners(campaign.id), world).runner === null) {
        isWaiting = true;
        world.tell(`No run of "${campaign.name}" is going on; waiting for calls (Ctrl-C ends).`);
      }
      await world.clock.sleep(LOOK_EVERY_MS, stop);
      if (stop.aborted) return false;
    }
    return true;
  });
}

async function isOver({ store, campaign: { id, name }, world }: OpenCampaign): Promise<boolean> {
  const state = (await store.findCampaign(name))?.state;
  if (state !== 'completed' && state !== 'cancelled') return false;
  return (await store.progress(id, world.clock.now())).calling === 0;
}
