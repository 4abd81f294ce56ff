import type { Draft, DraftChange } from '../../../contract/drafts.ts';

export type ListInput = Draft['lists'][string];

/** The change that reads one list of a draft otherwise, and leaves the other lists as they are. */
export function readOtherwise(
  { lists }: Draft,
  upload: string,
  change: (now: ListInput) => Partial<ListInput>,
): DraftChange {
  const now = lists[upload] ?? AS_FOUND;
  return { lists: { ...lists, [upload]: { ...now, ...change(now) } } };
}

const AS_FOUND: ListInput = {
  columns: {},
  encoding: null,
  delimiter: null,
  sheet: null,
  asOf: null,
};
