import { basename, resolve } from 'node:path';

import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { everyNumber } from '../../leads/phone/every-number.ts';
import { usageError } from '../../runtime/errors.ts';
import type { NewSuppression, Store } from '../../store/port.ts';
import type { SuppressingList } from '../../store/suppression.ts';
import { timesIn } from '../../text/times.ts';
import { counted, someOf } from '../../text/wording.ts';
import type { Lifted, ListUndone, SuppressedNow, Suppression } from '../../views/suppression.ts';
import { withCampaign } from '../places/databases.ts';
import type { DatabaseRequest } from '../places/home.ts';
import { requireConfirmed } from '../require-confirmed.ts';
import { readTypedPhone, readUntil } from '../typed.ts';
import { leadAt, type PlaceRequest } from '../watch/one-person.ts';
import type { World } from '../world.ts';
import { entryViews, filesIn, through, withSuppression } from './suppression-store.ts';

export interface NumberRequest extends DatabaseRequest {
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
 * @throws AppError `PHONE_INVALID`, `STORE_MISSING` (exit 2)
 */
export function suppressNumber(
  request: NumberRequest,
  expiresAt: number | null,
  world: World,
): Promise<SuppressedNow> {
  return withSuppression('write', request, world, async (store) => {
    const { number, note: given = '' } = request;
    const phones = readAll(request);
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

/**
 * Lifts a suppression; the entry stays readable.
 *
 * @throws AppError `PHONE_INVALID`, `STORE_MISSING` (exit 2)
 */
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
 * @throws AppError `PHONE_INVALID`, `STORE_MISSING` (exit 2)
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
  // A text that sorts right before the wanted number, so that the page begins with that number.
  let after = only === null ? null : (only.slice(0, -1) as E164);
  const entries: NewSuppression[] = [];
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

/**
 * Suppresses all numbers of a person of a campaign, in the database of that campaign.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, `LEAD_UNKNOWN`, `FLAG_INVALID` (exit 2)
 */
export async function suppressPerson(request: SuppressPersonRequest, world: World): Promise<void> {
  const { note, until } = request;
  const expiresAt = until === undefined ? null : await readUntil('until', until, world);
  const { numbers, db } = await withCampaign(request, world, 'read', async (open) => {
    const { phone, furtherNumbers } = await leadAt(open, request);
    return { numbers: [phone, ...furtherNumbers], db: open.store.location };
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
 *
 * @throws AppError `LIST_UNKNOWN`, `NOT_CONFIRMED`, `STORE_MISSING` (exit 2)
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
      await requireConfirmed(
        {
          question: `Type yes to take ${counted(lifted, 'number')} off the list: `,
          needed: 'Taking numbers off the suppression list needs a yes',
          undone: 'nothing was changed',
        },
        world,
      );
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
