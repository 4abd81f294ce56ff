import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { loadZoneCorrections, type ZoneCorrections } from '../../config/rules/zone-overrides.ts';
import { HOLIDAYS } from '../../domain/calling/holidays.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { AppError, EXIT, messageOf, type ExitCode } from '../../runtime/errors.ts';
import { overridesInForce, TIME_ZONE_DATA } from '../../runtime/time-zones.ts';
import type { Store } from '../../store/port.ts';
import {
  ballastPath,
  FREE_FLOOR_BYTES,
  freeBytesBeside,
  networkWarning,
  refuseNetworkDisk,
  systemDisk,
} from '../../store/sqlite/file/ballast.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import type { Mended } from '../../store/journal/recover.ts';
import { grouped } from '../../text/amounts.ts';
import { localTime } from '../../text/times.ts';
import { counted } from '../../text/wording.ts';
import type { Finding } from '../../views/services.ts';
import { checkConsole } from '../access/listening.ts';
import { receiverLines } from '../notices/send.ts';
import { openStore, withStore } from '../places/databases.ts';
import { homeOf, homeSentence, isThere, locateDatabase, nameOf } from '../places/home.ts';
import { examineServer } from '../places/servers.ts';
import { AWAITED, SHOWN } from '../sentences/situations.ts';
import {
  chooseService,
  knownServices,
  openService,
  type ServiceRequest,
} from '../services/service.ts';
import type { World } from '../world.ts';

/** Notices that were given up are told for so long. */
const TOLD_FOR_MS = 30 * DAY_MS;
const MOST = 5;

/** Whom services.yaml and the campaigns name, and which notices have not come to them. */
async function checkNotices(request: ServiceRequest, world: World): Promise<DataState> {
  const { notify: own = [], path } = knownServices(request, world);
  const place = locateDatabase(request, world, request.service === 'simulated');
  const since = world.clock.now() - TOLD_FOR_MS;
  const read = (store: Store) => Promise.all([store.listCampaigns(), store.undelivered(since)]);
  const [campaigns, undelivered] = isThere(place)
    ? await withStore(place, 'read', world, read)
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

/** The result of one check. */
type DoctorRequest = ServiceRequest & {
  mendJournal: boolean;
  /** The version of Node that runs this program. */
  node: string;
};

/**
 * Checks whether everything is in order: Node, folder, database, users of the console, disk, service, key and profile.
 *
 * @param request.mendJournal repairs damaged lines of the dial journal: everybody they may be about counts as called
 */
export async function examine(request: DoctorRequest, world: World): Promise<Finding[]> {
  return [
    finding('node', request.node, true),
    finding('home', homeText(world), true),
    ...(await checkDatabase(request, world)),
    // Left out where there never was a console.
    ...(await checked('console', () => checkConsole(request, world))),
    ...(await examineService(request, world)),
  ];
}

/**
 * Checks what a service needs, and the service. Without the database: its check for damage takes as long as reading all
 * of it, which would hold up calls that this process makes.
 */
export async function examineService(request: ServiceRequest, world: World): Promise<Finding[]> {
  return [
    checkDisk(request, world),
    ...(await checked('time zones', () => zoneData(world.clock.now()))),
    ...(await checked('holidays', () => holidayData(world.clock.now()))),
    ...(await checked('notices', () => checkNotices(request, world))),
    ...(await checkService(request, world)),
  ];
}

/** Which folder's data/ and campaigns/ are used, and why. */
function homeText(world: World): string {
  const home = homeOf(world);
  const why = {
    here: 'the current folder',
    said: 'CALLSHEET_HOME',
    above: 'the nearest folder above that is one',
  };
  const refused = homeSentence({ ...home, from: 'here' }, home.folder, 'campaigns/');
  return `${home.folder}: ${why[home.from]}${refused === undefined ? '' : `; ${refused}`}`;
}

const WARNINGS: ReadonlySet<string> = new Set(['server', 'time zones', 'holidays', 'notices']);

/** @param said may end in ` Next: ` and what to do */
function finding(what: string, said: string, ok: boolean, code: ExitCode = EXIT.failed): Finding {
  const [detail = '', next = null] = said.split(' Next: ');
  const state = ok ? 'ok' : WARNINGS.has(what) ? 'warn' : 'problem';
  return { what, state, detail, next, exitCode: ok ? EXIT.ok : code };
}

/** Opens a file as a run would (settings asserted, journal compared), and checks all of it for damage. */
async function checkDatabase(request: DoctorRequest, world: World): Promise<Finding[]> {
  const place = locateDatabase(request, world, request.service === 'simulated');
  const name = nameOf(place);
  if (!isThere(place)) return [finding('database', `${name} does not exist yet`, true)];
  let [recovered, mended] = [0, ''];
  let facts: Finding[] = [];
  const back = () =>
    recovered === 0
      ? ''
      : `; ${counted(recovered, 'call')} of the journal that it did not know came back as unknown`;
  try {
    if (place.file === undefined) {
      const { database, way, isNear, awaited } = await examineServer(place, world);
      facts = [finding('database', database, true), finding('server', way, isNear)];
      if (awaited.length > 0)
        facts.push(
          finding('machines', `${AWAITED}: ${awaited.join(', ')}. Next: ${SHOWN}.`, false),
        );
      if (!request.mendJournal) return facts;
    }
    const store = await openStore(place, 'dial', world, {
      checkAlways: true,
      mendAt: request.mendJournal ? world.clock.now() : undefined,
      onMended: (mend) => (mended = mendedWords(mend)),
      onRecovered: (attempts) => (recovered = attempts),
      onWarning: () => undefined,
    });
    await store.close();
    const found =
      place.file === undefined
        ? 'dial journal is in order'
        : 'settings and dial journal are in order, quick check finds no damage';
    return [...facts, finding('database', `${name}: ${found}${mended}${back()}`, true)];
  } catch (error) {
    return [...facts, failed('database', error, `${mended}${back()}`.replace(/^;/, ''))];
  }
}

function mendedWords({ path, lines, taken }: Mended): string {
  if (lines === 0) return `; no line of ${path} is damaged, so nothing was mended`;
  const people =
    taken === 0
      ? 'concerning nobody who is waiting to be called'
      : `perhaps about ${counted(taken, 'person', 'people')} waiting, who will not be called: \`callsheet resolve\` lists them`;
  return `; ${counted(lines, 'damaged line')} of ${path} mended, ${people}`;
}

/** Checks free space, ballast and file system, at the place of the database or where it would be created. */
function checkDisk(request: ServiceRequest, world: World): Finding {
  const { file, folder } = locateDatabase(request, world, request.service === 'simulated');
  try {
    if (file !== undefined) refuseNetworkDisk(file, systemDisk);
  } catch (error) {
    return failed('disk', error);
  }
  const free = freeBytesBeside(file ?? join(folder, 'results'), systemDisk);
  const isEnough = free >= FREE_FLOOR_BYTES;
  const next = isEnough ? '' : ` Next: Make room on the disk of ${folder}.`;
  const about =
    file === undefined
      ? `where this machine keeps results and lists (${folder}); the disk of the server is not looked at`
      : fileDisk(file);
  return finding('disk', `${megabytes(free)} free, ${about}${next}`, isEnough, EXIT.person);
}

function fileDisk(file: string): string {
  const fileSystem = networkWarning(file, systemDisk) ?? 'no network file system';
  const ballast = existsSync(ballastPath(realPath(file)))
    ? 'the ballast is in place'
    : 'no ballast yet (it is made when calls are)';
  return `no call is started below ${megabytes(FREE_FLOOR_BYTES)}; ${ballast}; ${fileSystem}`;
}

/** One check that reads something; nothing is found where it says null. */
async function checked(
  what: string,
  read: () => DataState | Promise<DataState | null>,
): Promise<Finding[]> {
  try {
    const found = await read();
    return found === null ? [] : [finding(what, found.detail, found.ok, EXIT.person)];
  } catch (error) {
    return [failed(what, error)];
  }
}

function megabytes(bytes: number): string {
  return bytes === Infinity
    ? 'an unknown number of MB'
    : `${grouped(Math.floor(bytes / 1024 / 1024))} MB`;
}

async function checkService(request: ServiceRequest, world: World): Promise<Finding[]> {
  try {
    const chosen = chooseService(request, world);
    const { config, service, close } = await openService(chosen, request, world, { keep: false });
    try {
      const { agents, complete, readAs = [] } = await service.listAgents();
      const by = readAs.length === 0 ? '' : `; agents are read by ${readAs.join(', ')}`;
      const free = (await service.freeSlots?.()) ?? null;
      const slots = free === null ? '' : `; it would take ${counted(free, 'call')} now`;
      const all = complete ? '' : ' (perhaps not all: a page or an entry could not be read)';
      return [
        finding('profile', config.profile.path + by, true),
        finding(
          'service',
          `${service.url} answers, the key is accepted, ${counted(agents.length, 'agent')}${all}${slots}`,
          true,
        ),
      ];
    } finally {
      await close();
    }
  } catch (error) {
    return [failed('service', error)];
  }
}

function failed(what: string, error: unknown, besides = ''): Finding {
  const hint = error instanceof AppError && error.hint !== undefined ? ` Next: ${error.hint}` : '';
  const code = error instanceof AppError ? error.exitCode : EXIT.failed;
  return {
    ...finding(what, `${messageOf(error)}${besides}${hint}`, false, code),
    state: 'problem',
  };
}

/** What is said of data that decides about hours, and whether calls can rely on it. */
interface DataState {
  ok: boolean;
  detail: string;
}

/**
 * The version of Node's time-zone data, the newest that callsheet knows, and every zone in which the two differ: these
 * are corrected. Data that is older than the corrections reach back is not in order.
 *
 * @throws AppError `RULES_INVALID` where the file of corrections cannot be read: no hours can be decided then
 */
export function zoneData(
  now: number,
  version: string = TIME_ZONE_DATA,
  { since, reaches, due, overrides }: ZoneCorrections = loadZoneCorrections(),
): DataState {
  const has = `Node's time-zone data is ${version}`;
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  if (version < since) {
    return {
      ok: false,
      detail: `${has}; corrections (${FILE}) bring only ${since} and later up to ${reaches}, so calls may be made at wrong hours. Next: Use a newer Node: \`node -p process.versions.tz\` prints its version.`,
    };
  }
  const next =
    now < due
      ? ''
      : ` Next: Look for a newer callsheet: a newer version than ${reaches} is due since ${dayOf(due)}.`;
  if (version > reaches && /^\d{4}/.test(version)) {
    const newer = `newer than ${reaches}, the newest that callsheet knows, so no zone is corrected`;
    return { ok: true, detail: `${has}, ${newer}.${next}` };
  }
  const differ = overridesInForce(overrides, version).map(
    ({ zone, from, until, fixedIn }) =>
      `${zone} from ${dayOf(from)}${until === undefined ? '' : ` to ${dayOf(until)}`} (${fixedIn})`,
  );
  const what =
    differ.length === 0
      ? 'no zone differs'
      : `these differ and are corrected: ${differ.join(', ')}`;
  return {
    ok: true,
    detail: `${has}, the newest that callsheet knows ${reaches}; ${what} (${FILE}).${next}`,
  };
}

const FILE = 'campaigns/rules/zone-overrides.yaml';

/** Until when public holidays are known. A rule with holidays keeps its window closed in years after that. */
export function holidayData(now: number): DataState {
  const { from, through } = HOLIDAYS;
  const year = new Date(now).getUTCFullYear();
  const known = `public holidays are known from ${from} to ${through}`;
  if (year >= from && year < through) return { ok: true, detail: known };
  const when = year === through ? `from ${through + 1}-01-01 on` : 'now';
  return {
    ok: year === through,
    detail: `${known}; rules with holidays allow no call ${when}. Next: Update callsheet.`,
  };
}
