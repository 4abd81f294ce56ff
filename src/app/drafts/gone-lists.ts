import { someOf } from '../../text/plural.ts';
import type { OpenDraft } from './draft.ts';

/** So many lists are named. */
const SHOWN = 5;

/** Which lists of a draft were deleted, as a sentence without its full stop; undefined: none. */
export function goneText({ gone }: Pick<OpenDraft, 'gone'>): string | undefined {
  if (gone.length === 0) return undefined;
  const names = someOf(
    gone.map(({ name }) => name),
    SHOWN,
  );
  return `${names} ${gone.length === 1 ? 'was' : 'were'} kept for a day and then deleted`;
}
