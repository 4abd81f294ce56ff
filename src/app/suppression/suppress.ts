import { basename, resolve } from 'node:path';

import { invalidFlag } from '../../config/campaign-file.ts';
import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { everyNumber } from '../../leads/phone/every-number.ts';
import { numbersToSuppress } from '../../leads/suppression-list.ts';
import { usageError } from '../../runtime/errors.ts';
import type { NewSuppression, Store } from '../../store/port.ts';
import type { SuppressingList } from '../../store/suppression.ts';
import { grouped } from '../../text/amounts.ts';
import { timesIn } from '../../text/times.ts';
import { counted, someOf } from '../../text/wording.ts';
import type {
  Lifted,
  ListUndone,
  SuppressedNow,
  Suppression,
  SuppressionImported,
} from '../../views/suppression.ts';
import { withCampaign } from '../places/databases.ts';
import type { DatabaseRequest } from '../places/home.ts';
import { keepStandardInput, STANDARD_INPUT } from '../places/list-or-campaign.ts';
import type { ListInput } from '../plan/plan-lists.ts';
import { readTypedPhone, readUntil, requireConfirmed } from '../typed.ts';
import { leadAt, type PlaceRequest } from '../watch/find-people.ts';
import type { World } from '../world.ts';
import { entryViews, filesIn, through, withSuppression } from './suppression-store.ts';

interface NumberRequest extends DatabaseRequest {
  /** The phone number as typed. */
  number: string;
  /** ISO 3166 country of a number without `+`. */
  country?: string | undefined;
  note?: string | undefined;
}

/**
 * Suppresses a number in all campaigns, and every other number that the text may mean.
 *
 * @param expiresAt epoch ms; null: for good
 */
export async function suppressNumber(
  request: NumberRequest,
  expiresAt: number | null,
  world: World,
): Promise<SuppressedNow> {
  const phones = readAll(request);
  return withSuppression('add', request, world, async (store) => {
    const { number, note: given = '' } = request;
    const isOne = phones.length === 1;
    const from = isOne ? '' : `one of ${phones.length} that "${number}" may be`;
    const note = [given, from].filter((text) => text !== '').join('; ') || null;
    const at = world.clock.now();
    const entry = { at, source: 'operator', note, who: world.user, expiresAt } as const;
    const { added, leads } = await store.suppress(phones.map((one) => ({ ...entry, phone: one })));
    const ended = leads === 0 ? '' : ` ${counted(leads, 'waiting lead')} ended by it.`;
    const news =
      added > 0
        ? `${isOne ? 'is' : 'are'} suppressed${through(expiresAt, world)}`
        : `${isOne ? 'was' : 'were'} suppressed already`;
    const then = added > 0 && expiresAt !== null ? ' until then' : '';
    world.tell(
      `${phones.join(' and ')} ${news}; nobody calls ${isOne ? 'it' : 'any of them'}${then}.${ended}`,
    );
    const time = timesIn(world.timezone);
    return { phones: [...phones], added: added > 0, leads, expiresAt: time(expiresAt) };
  });
}

/** Lifts a suppression; the entry stays readable. @throws AppError `PHONE_INVALID`, `STORE_MISSING` (exit 2) */
export function unsuppressNumber(request: NumberRequest, world: World): Promise<Lifted> {
  return withSuppression('write', request, world, async (store) => {
    const phone = readOne(request);
    const { note = null } = request;
    const lifted = await store.unsuppress({ phone, at: world.clock.now(), who: world.user, note });
    world.tell(lifted ? `${phone} may be called again.` : `${phone} was not suppressed.`);
    return { phone, lifted };
  });
}

/**
 * The numbers that are suppressed now, and the files they came from.
 *
 * @param request.number only this number; default: all
 */
export function suppressionList(
  request: Omit<NumberRequest, 'number'> & { number?: string | undefined },
  world: World,
): Promise<{ only: E164 | null; list: Suppression }> {
  return withSuppression('read', request, world, async (store) => {
    const { number } = request;
    const only = number === undefined ? null : readOne({ ...request, number });
    const entries = await entriesOf(store, world.clock.now(), only);
    const items = entries.map(entryViews(world.timezone));
    return { only, list: { items, next: null, files: await filesIn(store, world) } };
  });
}

const ENTRIES_AT_ONCE = 1_000;

async function entriesOf(store: Store, now: number, only: E164 | null): Promise<NewSuppression[]> {
  const entries: NewSuppression[] = [];
  // Of what sorts before the wanted number, `after` leaves out all that begins with another last digit.
  const before = only === null ? null : `${only.slice(0, -1)}${Number(only.at(-1)) - 1}:`;
  let after = before as E164 | null;
  for (;;) {
    const page = await store.suppressions({ now, after, limit: ENTRIES_AT_ONCE });
    if (only !== null) return page.filter(({ phone }) => phone === only);
    entries.push(...page);
    const last = page.at(-1);
    if (last === undefined) return entries;
    after = last.phone;
  }
}

/** All numbers that the text may mean, so that a misreading never leads to a call. */
function readAll(request: NumberRequest): [E164, ...E164[]] {
  const { number, country } = request;
  const home = country === undefined ? null : requireCountry(country);
  const [first, ...others] = everyNumber(number, home);
  return first === undefined ? [readOne(request)] : [first, ...others];
}

function readOne({ number, country }: NumberRequest): E164 {
  return readTypedPhone(number, country ?? null, { unassigned: 'accept', tollFree: 'accept' });
}

interface SuppressPersonRequest extends PlaceRequest {
  note?: string | undefined;
  /** The last day on which it holds, `2026-07-01`, in the machine's zone; default: for good. */
  until?: string | undefined;
}

/** Suppresses all numbers of a person of a campaign, in the database of that campaign. */
export async function suppressPerson(request: SuppressPersonRequest, world: World): Promise<void> {
  const { note, until } = request;
  const expiresAt = until === undefined ? null : await readUntil('until', until, world);
  const { numbers, db } = await withCampaign(request, world, 'read', async (open) => {
    const { phone, furtherNumbers } = await leadAt(open, request);
    return { numbers: [phone, ...furtherNumbers], db: open.store.name };
  });
  for (const number of numbers) await suppressNumber({ number, note, db }, expiresAt, world);
}

interface UndoRequest extends DatabaseRequest {
  /** A path as it was imported, or the name of its file. */
  list: string;
  note?: string | undefined;
  /** True: nobody is asked. */
  yes?: boolean | undefined;
}

/**
 * Takes back what the rows of one list have put onto the suppression list; numbers that something else suppresses stay
 * on it. Leads that ended as suppressed stay so.
 */
export function undoList(
  { note, yes = false, ...request }: UndoRequest,
  world: World,
): Promise<ListUndone> {
  return withSuppression('write', request, world, async (store) => {
    const known = await store.suppressingLists(world.clock.now());
    const { list, numbers, staying } = listNamed(request.list, known, world);
    const lifted = numbers - staying;
    const stay =
      staying === 0 ? '' : `, ${staying} of them stay, as something else suppresses them too`;
    world.tell(`${list} has put ${counted(numbers, 'number')} on the suppression list${stay}.`);
    if (!yes) {
      await requireConfirmed(world, {
        question: `Type yes to take ${counted(lifted, 'number')} off the list: `,
        needed: 'Taking numbers off the suppression list needs a yes',
        undone: 'nothing was changed',
      });
    }
    const why = `undo of ${list}${note === undefined ? '' : `: ${note}`}`;
    const entry = { list, at: world.clock.now(), who: world.user, note: why };
    let after: E164 | null = null;
    for (;;) {
      const phones: E164[] = await store.takeBackList({ ...entry, after });
      after = phones.at(-1) ?? null;
      if (after === null) break;
    }
    world.tell(
      `${counted(lifted, 'number')} may be called again; people who ended as suppressed stay so: import them into a new campaign to call them.`,
    );
    return { list, numbers, lifted, staying };
  });
}

/** The list with this path, or the only one with this file name. */
function listNamed(
  name: string,
  known: readonly SuppressingList[],
  { cwd }: World,
): SuppressingList {
  const exact = known.find(
    ({ list }) => list === name || resolve(cwd, list) === resolve(cwd, name),
  );
  const named = known.filter(({ list }) => basename(list) === basename(name));
  const [found = exact, another] = exact === undefined ? named : [exact];
  if (found !== undefined && another === undefined) return found;
  const names = someOf(
    known.map(({ list }) => list),
    20,
  );
  throw usageError(
    'LIST_UNKNOWN',
    found === undefined
      ? `No list "${name}" has put a number on the suppression list.`
      : `Several lists are called "${name}".`,
    known.length === 0 ? '`callsheet suppress list` shows who is on it' : `give one of ${names}`,
  );
}

const PROBLEMS_SHOWN = 5;
/** The most entries that the store takes in one call. */
const NUMBERS_AT_ONCE = 1_000;

interface SuppressionImport extends Omit<NumberRequest, 'number'> {
  /** A list, or `-`. */
  file: string;
  /** What the list is called; default: its path. */
  name?: string | undefined;
  input: ListInput;
  /** When the entries expire, epoch ms; null: never. */
  expiresAt: number | null;
  /** The registry that the file is of, as rules name it; default: none. */
  registry?: string | undefined;
  /** The area codes that the file has, `212,305`; default: all of the registry. */
  areas?: string | undefined;
}

/**
 * Suppresses all numbers of a file. If that is broken off, the numbers read so far stay suppressed. A file that cannot
 * be read makes no database.
 */
export async function importSuppression(
  request: SuppressionImport,
  world: World,
): Promise<SuppressionImported> {
  const of = registryOf(request);
  const { input, country = null, expiresAt } = request;
  const { choices, encoding, sheet, asOf } = input;
  const kept = request.file === '-' ? await keepStandardInput(world) : undefined;
  const file = kept?.path ?? resolve(world.cwd, request.file);
  const path = request.name ?? (kept === undefined ? file : STANDARD_INPUT);
  const pieces = numbersToSuppress(path, { file, choices, encoding, sheet, country });
  try {
    let read = await pieces.next();
    return await withSuppression('add', request, world, async (store) => {
      const at = world.clock.now();
      const note = request.note === undefined ? path : `${path}: ${request.note}`;
      const none = { asOf: timesIn(world.timezone)(asOf), added: 0, known: 0, leads: 0, unread: 0 };
      const total: SuppressionImported = { file: path, ...none, problems: [] };
      const entries: NewSuppression[] = [];
      const write = async () => {
        const answer = await store.suppress(entries.splice(0, NUMBERS_AT_ONCE));
        total.added += answer.added;
        total.known += answer.known;
        total.leads += answer.leads;
        if (world.underway === undefined) return;
        world.underway.kept = `${counted(total.added + total.known, 'number')} of ${path} are on the suppression list`;
      };
      try {
        for (; read.done !== true; read = await pieces.next()) {
          const piece = read.value;
          for (const phone of piece.phones) {
            const more = piece.notes.get(phone);
            const said = more === undefined ? note : `${note}, ${more}`;
            entries.push({ phone, at, source: 'file', note: said, who: world.user, expiresAt });
          }
          while (entries.length >= NUMBERS_AT_ONCE) await write();
          world.underway?.signal.throwIfAborted();
          total.unread += piece.problems.length;
          total.problems.push(...piece.problems.slice(0, PROBLEMS_SHOWN - total.problems.length));
        }
      } finally {
        // Also where reading broke off: what was read stays suppressed.
        while (entries.length > 0) await write();
      }
      // Recorded only after a complete import: a broken-off one must not make the list count as newer.
      if (asOf !== null)
        await store.addSuppressionFile({
          path,
          asOf,
          at: world.clock.now(),
          who: world.user,
          ...of,
        });
      const { added, known, leads, unread, problems } = total;
      const ended = leads === 0 ? '' : `; ${counted(leads, 'waiting lead')} ended by it`;
      world.tell(
        `${path}: ${counted(added, 'number')} suppressed${through(expiresAt, world)}, ${grouped(known)} were already${ended}.`,
      );
      for (const { line, text } of problems) world.tell(`  ${path}:${line}: ${text}`);
      if (unread > 0) world.tell(`${counted(unread, 'cell')} without a number that can be read.`);
      return total;
    });
  } finally {
    await pieces.return(undefined);
    await kept?.remove();
  }
}

/** @throws AppError `FLAG_INVALID` (exit 2): a name or an area code that is none, or a registry without its day */
function registryOf({ registry, areas, input }: SuppressionImport) {
  if (registry === undefined && areas === undefined) return { registry: null, areas: null };
  const codes = areas?.split(',').map((area) => area.trim()) ?? null;
  const wrong = codes?.find((code) => !/^[2-9]\d\d$/.test(code));
  if (wrong !== undefined) {
    throw invalidFlag(`--areas "${wrong}" is not an area code; give codes such as 212,305.`);
  }
  if (registry === undefined || !/^[a-z][a-z0-9-]{1,39}$/.test(registry)) {
    throw invalidFlag(
      `--registry ${registry === undefined ? 'is missing beside --areas' : `"${registry}" is not the name of one`}; give a name that rules use, such as us-national.`,
    );
  }
  if (input.asOf === null) {
    throw invalidFlag('--registry needs --as-of with the day of the file, such as 2026-11-20.');
  }
  return { registry, areas: codes };
}
