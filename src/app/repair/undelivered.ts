import { existsSync } from 'node:fs';
import { DAY_MS } from '../../domain/time-units.ts';
import type { UndeliveredMessage } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { receiverLines, refusedLines } from '../notices/targets.ts';
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
  const now = world.clock.now();
  const { campaigns, undelivered } = existsSync(place.path)
    ? await withStore(place.path, 'read', world, async (store) => ({
        campaigns: (await store.listCampaigns()).map(({ name, settings: { notify = [] } }) => {
          return { name, notify };
        }),
        undelivered: await store.undelivered(now - TOLD_FOR_MS),
      }))
    : { campaigns: [], undelivered: [] };
  const lines = receiverLines(own, campaigns);
  const refused = refusedLines(own, campaigns);
  const told = lines.length === 0 ? `nobody is told (no \`notify\` in ${path})` : lines.join('; ');
  const who = [told, ...refused].join('; ');
  if (undelivered.length === 0) return { ok: refused.length === 0, detail: who };
  const shown = undelivered.slice(-MOST).map((each) => undeliveredText(each, world));
  const more = undelivered.length > MOST ? [`${undelivered.length - MOST} older ones`] : [];
  const detail = `${who}; ${counted(undelivered.length, 'notice')} did not come: ${[...shown, ...more].join('; ')}. Next: mend that; \`callsheet notify test\` tries it.`;
  return { ok: false, detail };
}

function undeliveredText(
  { body: { event, campaign }, shown, givenUp, at, tries, why }: UndeliveredMessage,
  { timezone }: Pick<World, 'timezone'>,
): string {
  const end = givenUp ? 'given up' : `tried ${counted(tries, 'time')}, goes on`;
  return `${event} of ${campaign} of ${localTime(at, timezone)} to ${shown} (${end}: ${why ?? 'no reason is known'})`;
}
