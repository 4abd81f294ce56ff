import { basename, resolve } from 'node:path';
import type { E164 } from '../../domain/phone.ts';
import { usageError } from '../../runtime/errors.ts';
import type { SuppressingList } from '../../store/suppression.ts';
import { counted, someOf } from '../../text/plural.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import { requireConfirmed } from '../require-confirmed.ts';
import type { World } from '../world.ts';
import { withSuppression } from './suppression-store.ts';

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
export function undoList({ note, yes = false, ...request }: UndoRequest, world: World) {
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
