import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { everyNumber } from '../../leads/phone/every-number.ts';
import type { NewSuppression, Store, SuppressionFile } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import { readTypedPhone } from '../typed-phone.ts';
import type { World } from '../world.ts';
import { through, withSuppression } from './suppression-store.ts';

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
 * @returns `phones`: all numbers that the text may mean; `leads`: how many waiting leads were ended; `added`: false if
 *   existing entries last as long already
 * @throws AppError `PHONE_INVALID`, `STORE_MISSING` (exit 2)
 */
export function suppressNumber(request: NumberRequest, expiresAt: number | null, world: World) {
  return withSuppression('write', request, world, async (store) => {
    const { number, note: given = '' } = request;
    const phones = readAll(request);
    const [phone] = phones;
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
    return { phone, phones, added: added > 0, leads };
  });
}

/**
 * Lifts a suppression; the entry stays readable.
 *
 * @throws AppError `PHONE_INVALID`, `STORE_MISSING` (exit 2)
 */
export function unsuppressNumber(request: NumberRequest, world: World) {
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
): Promise<{ only: E164 | null; entries: NewSuppression[]; files: SuppressionFile[] }> {
  return withSuppression('read', request, world, async (store) => {
    const { number } = request;
    const only = number === undefined ? null : readOne({ ...request, number });
    const entries = await entriesOf(store, world.clock.now(), only);
    return { only, entries, files: await store.suppressionFiles() };
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
