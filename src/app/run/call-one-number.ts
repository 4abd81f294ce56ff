import type { FlagsInput } from '../../config/flags.ts';
import { resolveSettings } from '../../config/settings.ts';
import type { E164 } from '../../domain/phone.ts';
import { isFictional } from '../../leads/phone/fictional.ts';
import { placeOfPerson } from '../../leads/zones/place-of-person.ts';
import { usageError } from '../../runtime/errors.ts';
import { homeOf } from '../places/home.ts';
import { locateDatabase } from '../places/database-place.ts';
import { openExisting, openPatiently, requireMayCreate } from '../places/databases.ts';
import { requireYes } from '../plan/approve.ts';
import { checkAgent } from '../services/check-agent.ts';
import { chooseService, openService, type ServiceRequest } from '../services/service.ts';
import { policyLines, ruleNames } from '../sentences/hours-lines.ts';
import { refuseSuppressed } from '../suppression/suppression-store.ts';
import { readTypedPhone } from '../typed-phone.ts';
import type { World } from '../world.ts';
import { refuseOutsideHours } from './refuse-outside-hours.ts';
import { createSingleCall, runSingleCall, type CallReport } from './single-call.ts';
import type { WatchedRun } from './watched-run.ts';

interface CallRequest extends ServiceRequest {
  /** The phone number as typed. */
  number: string;
  /** Settings as they were typed. */
  given: Omit<FlagsInput, 'cwd'>;
  /** The call was confirmed beforehand. */
  yes: boolean;
}

/**
 * Makes one call outside campaigns, and waits until it is over.
 *
 * @returns null when the operator left at once, e.g. by a second Ctrl-C
 * @throws AppError before anybody is called: `PHONE_INVALID`, `PHONE_FICTIONAL`, `CALL_OUTSIDE_HOURS`,
 *   `PHONE_SUPPRESSED`, `NOT_CONFIRMED` and those of settings, rules, service, agent and database (exit 2)
 */
export async function callOneNumber(
  request: CallRequest,
  extras: Pick<WatchedRun, 'log' | 'watch'>,
  world: World,
): Promise<CallReport | null> {
  const { number, yes } = request;
  const config = chooseService(request, world);
  const settingsOf = (agent: string | undefined) => {
    const defaults = { timezone: world.timezone, agent, live: config.live };
    const home = homeOf(world).folder;
    return resolveSettings({ ...request.given, cwd: world.cwd, home, defaults });
  };
  const draft = settingsOf(config.simulated ? 'any' : undefined);
  const phone = readNumber(number, draft.settings.country, config.live);
  const { zoneKey: place } = placeOfPerson({ phone });
  refuseOutsideHours(phone, place, draft.settings, world.clock.now());
  const database = locateDatabase(request, world, config.simulated);
  requireMayCreate(database, world, config.live, { yes });
  const existing = await openExisting(database, 'dial', world);
  const undo = [async () => existing?.close()];
  try {
    await refuseSuppressed(existing, phone, world);
    const opened = await openService(config, request, world);
    undo.push(opened.close);
    const { service } = opened;
    const first = config.simulated ? (await service.listAgents()).agents[0]?.id : undefined;
    const { settings } = settingsOf(first);
    const agentName = (await checkAgent(service, settings.agent, world))?.name ?? null;
    if (config.live) {
      const agent = agentName === null ? settings.agent : `${agentName} (${settings.agent})`;
      world.tell(
        `LIVE ${service.url} agent ${agent}: 1 call to ${phone}; rules ${ruleNames(settings)}; database ${database.path}`,
      );
      for (const line of policyLines(settings)) world.tell(line);
      await requireYes(1, yes, world);
    }
    const store = existing ?? (await openPatiently(database.path, world));
    if (existing === undefined) undo.unshift(() => store.close());
    const campaign = await createSingleCall(
      store,
      config,
      { number, phone, place, settings },
      world,
    );
    world.tell(`Calling ${phone} ...`);
    const run = {
      dialAt: { service, maxCalls: opened.config.maxCalls },
      collectFrom: [service],
      limit: 1,
      until: null,
      waitUntil: null,
    };
    return await runSingleCall({ store, campaign, run, ...extras }, world);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** @throws AppError `PHONE_INVALID`, `PHONE_FICTIONAL` (exit 2) */
function readNumber(text: string, country: string | null, live: boolean): E164 {
  const phone = readTypedPhone(text, country);
  if (live && isFictional(phone)) {
    throw usageError(
      'PHONE_FICTIONAL',
      `${phone} is of a range kept for fiction; a real service is not asked to call it.`,
      'rehearse with --service simulated',
    );
  }
  return phone;
}
