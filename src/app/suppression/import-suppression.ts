import { resolve } from 'node:path';
import { invalidFlag } from '../../config/campaign-file.ts';
import { numbersToSuppress } from '../../leads/suppression-list.ts';
import { grouped } from '../../text/amounts.ts';
import { timesIn } from '../../text/times.ts';
import { counted } from '../../text/wording.ts';
import type { SuppressionImported } from '../../views/suppression.ts';
import { keepStandardInput, STANDARD_INPUT } from '../places/list-or-campaign.ts';
import type { ListInput } from '../plan/plan-lists.ts';
import type { NewSuppression } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { NumberRequest } from './suppress.ts';
import { through, withSuppression } from './suppression-store.ts';

const PROBLEMS_SHOWN = 5;
/** The most entries that the store takes in one call. */
const ENTRIES_AT_ONCE = 1_000;

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
 * Suppresses all numbers of a file. If that is broken off, the numbers read so far stay suppressed.
 *
 * @throws AppError `STORE_MISSING`, `FLAG_INVALID` (exit 2), and those of `numbersToSuppress`
 */
export function importSuppression(
  request: SuppressionImport,
  world: World,
): Promise<SuppressionImported> {
  const of = registryOf(request);
  return withSuppression('write', request, world, async (store) => {
    const { input, country = null, expiresAt } = request;
    const { choices, encoding, sheet, asOf } = input;
    const kept = request.file === '-' ? await keepStandardInput(world) : undefined;
    try {
      const file = kept?.path ?? resolve(world.cwd, request.file);
      const path = request.name ?? (kept === undefined ? file : STANDARD_INPUT);
      const options = { file, choices, encoding, sheet, country };
      const at = world.clock.now();
      const note = request.note === undefined ? path : `${path}: ${request.note}`;
      const none = { asOf: timesIn(world.timezone)(asOf), added: 0, known: 0, leads: 0, unread: 0 };
      const total: SuppressionImported = { file: path, ...none, problems: [] };
      const entries: NewSuppression[] = [];
      const write = async () => {
        const answer = await store.suppress(entries.splice(0, ENTRIES_AT_ONCE));
        total.added += answer.added;
        total.known += answer.known;
        total.leads += answer.leads;
        if (world.underway === undefined) return;
        world.underway.kept = `${counted(total.added + total.known, 'number')} of ${path} are on the suppression list`;
      };
      try {
        for await (const piece of numbersToSuppress(path, options)) {
          for (const phone of piece.phones) {
            const more = piece.notes.get(phone);
            const said = more === undefined ? note : `${note}, ${more}`;
            entries.push({ phone, at, source: 'file', note: said, who: world.user, expiresAt });
          }
          while (entries.length >= ENTRIES_AT_ONCE) await write();
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
    } finally {
      await kept?.remove();
    }
  });
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
