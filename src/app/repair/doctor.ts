import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { grouped } from '../../text/amounts.ts';
import { EXIT, AppError, messageOf, type ExitCode } from '../../runtime/errors.ts';
import { ballastPath } from '../../store/sqlite/file/ballast.ts';
import {
  FREE_FLOOR_BYTES,
  freeBytesBeside,
  networkWarning,
  refuseNetworkDisk,
  systemDisk,
} from '../../store/sqlite/file/disk.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import type { Mended } from '../../store/sqlite/journal/recover.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { homeOf, homeSentence } from '../places/home.ts';
import type { World } from '../world.ts';
import { counted } from '../../text/plural.ts';
import { chooseService, openService, type ServiceRequest } from '../services/service.ts';
import { locateDatabase } from '../places/database-place.ts';
import { holidayData, zoneData, type DataState } from './calling-data.ts';
import { checkConsole } from './check-console.ts';
import { checkNotices } from './undelivered.ts';

/** The result of one check. */
export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
  /** The exit code if the check failed. */
  code: ExitCode;
}

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
    await checkDatabase(request, world),
    ...(await checkUsers(request, world)),
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
    checkData('time zones', () => zoneData(world.clock.now())),
    checkData('holidays', () => holidayData(world.clock.now())),
    await checkTold(request, world),
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

function finding(what: string, detail: string, ok: boolean, code: ExitCode = EXIT.failed): Finding {
  return { what, ok, detail, code };
}

/** Opens the database as a run would (settings asserted, journal compared), and checks all of it for damage. */
async function checkDatabase(request: DoctorRequest, world: World): Promise<Finding> {
  const { path } = locateDatabase(request, world, request.service === 'simulated');
  if (!existsSync(path)) return finding('database', `${path} does not exist yet`, true);
  try {
    let recovered = 0;
    let mended = '';
    const store = openSqliteStore({
      path,
      mode: 'dial',
      checkAlways: true,
      mendJournal: request.mendJournal,
      onMended: (mend) => (mended = mendedWords(mend)),
      onRecovered: (attempts) => (recovered = attempts),
    });
    await store.close();
    const back =
      recovered === 0
        ? ''
        : `; ${counted(recovered, 'call')} of the journal that it did not know came back as unknown`;
    return finding(
      'database',
      `${path}: settings and dial journal are in order, quick check finds no damage${mended}${back}`,
      true,
    );
  } catch (error) {
    return failed('database', error);
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

/** Left out where there never was a console. */
async function checkUsers(request: DoctorRequest, world: World): Promise<Finding[]> {
  try {
    const found = await checkConsole(request, world);
    return found === null ? [] : [finding('console', found.detail, found.ok, EXIT.person)];
  } catch (error) {
    return [failed('console', error)];
  }
}

/** Checks free space, ballast and file system, at the place of the database or where it would be created. */
function checkDisk(request: ServiceRequest, world: World): Finding {
  const { path } = locateDatabase(request, world, request.service === 'simulated');
  try {
    refuseNetworkDisk(path, systemDisk);
  } catch (error) {
    return failed('disk', error);
  }
  const free = freeBytesBeside(path, systemDisk);
  const isEnough = free >= FREE_FLOOR_BYTES;
  const fileSystem = networkWarning(path, systemDisk) ?? 'no network file system';
  const ballast = existsSync(ballastPath(realPath(path)))
    ? 'the ballast is in place'
    : 'no ballast yet (it is made when calls are)';
  const detail = `${megabytes(free)} free, no call is started below ${megabytes(FREE_FLOOR_BYTES)}; ${ballast}; ${fileSystem}`;
  const next = isEnough ? '' : ` Next: Make room on the disk of ${dirname(path)}.`;
  return finding('disk', detail + next, isEnough, EXIT.person);
}

function checkData(what: string, read: () => DataState): Finding {
  try {
    const { detail, ok } = read();
    return finding(what, detail, ok, EXIT.person);
  } catch (error) {
    return failed(what, error);
  }
}

async function checkTold(request: ServiceRequest, world: World): Promise<Finding> {
  try {
    const { detail, ok } = await checkNotices(request, world);
    return finding('notices', detail, ok, EXIT.person);
  } catch (error) {
    return failed('notices', error);
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

function failed(what: string, error: unknown): Finding {
  const hint = error instanceof AppError && error.hint !== undefined ? ` Next: ${error.hint}` : '';
  const code = error instanceof AppError ? error.exitCode : EXIT.failed;
  return finding(what, `${messageOf(error)}${hint}`, false, code);
}
