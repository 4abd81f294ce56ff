import { existsSync } from 'node:fs';
import { DAY_MS } from '../../domain/time-units.ts';
import type { Store } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { receiverLines } from '../notices/targets.ts';
import { locateDatabase } from '../places/database-place.ts';
import { withStore } from '../places/databases.ts';
import { knownServices, type ServiceRequest } from '../services/service.ts';
import type { World } from '../world.ts';

/** Notices that were given up are told for so long. */
const TOLD_FOR_MS = 30 * DAY_MS;
const MOST = 5;

/** Whom services.yaml and the campaigns name, and which notices have not come to them. */
export async function checkNotices(
  request: ServiceRequest,
  world: World,
): Promise<{ ok: boolean; detail: string }> {
  const { notify: own = [], path } = knownServices(request, world);
  const place = locateDatabase(request, world, request.service === 'simulated');
  const since = world.clock.now() - TOLD_FOR_MS;
  const read = (store: Store) => Promise.all([store.listCampaigns(), store.undelivered(since)]);
  const [campaigns, undelivered] = existsSync(place.path)
    ? await withStore(place.path, 'read', world, read)
    : [[], []];
  const { told, refused } = receiverLines(own, campaigns);
  const nobody = told.length === 0 ? [`nobody is told (no \`notify\` in ${path})`] : [];
  const who = [...nobody, ...told, ...refused].join('; ');
  if (undelivered.length === 0) return { ok: refused.length === 0, detail: who };
  const shown = undelivered.slice(-MOST).map(({ body, givenUp, tries, why, ...message }) => {
    const end = givenUp ? 'given up' : `tried ${counted(tries, 'time')}, goes on`;
    const at = localTime(message.at, world.timezone);
    return `${body.event} of ${body.campaign} of ${at} to ${message.shown} (${end}: ${why ?? 'no reason is known'})`;
  });
  const more = undelivered.length > MOST ? [`${undelivered.length - MOST} older ones`] : [];
  const detail = `${who}; ${counted(undelivered.length, 'notice')} did not come: ${[...shown, ...more].join('; ')}. Next: mend that; \`callsheet notify test\` tries it.`;
  return { ok: false, detail };
}
