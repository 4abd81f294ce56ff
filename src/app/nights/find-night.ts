import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { someOf } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';

export interface NightRequest {
  /** A date such as `2026-01-05`, `last`, or `before` for calls from before nights were kept; undefined: all nights. */
  night: string | undefined;
}

/** More than this many nights are not named in an error. */
const NAMED = 7;

/**
 * The night that somebody names, as the store has it: its date, `''` for `before`; null: none is named.
 *
 * @throws AppError `NIGHT_UNKNOWN` (exit 2), with the nights that there are
 */
export async function findNight(
  store: Pick<Store, 'nights'>,
  { id, name }: Pick<Campaign, 'id' | 'name'>,
  given: NightRequest['night'],
): Promise<string | null> {
  if (given === undefined) return null;
  const nights = (await store.nights(id)).map(({ night }) => night);
  const last = nights.at(-1);
  const found =
    given === 'last' ? last : nights.find((night) => (night === '' ? 'before' : night) === given);
  if (found !== undefined) return found;
  if (last === undefined)
    throw usageError(
      'NIGHT_UNKNOWN',
      `Campaign "${name}" has called nobody yet, so it has no nights.`,
      `\`callsheet status ${shellWord(name)}\` says when calls begin`,
    );
  const known = nights.toReversed().map((night) => (night === '' ? 'before' : night));
  throw usageError(
    'NIGHT_UNKNOWN',
    `Campaign "${name}" has no night "${given}" with calls; there are ${someOf(known, NAMED)}.`,
    `take one of these, or last; \`callsheet nights ${shellWord(name)}\` lists all`,
  );
}
