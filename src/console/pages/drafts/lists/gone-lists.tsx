import { Notice } from '../../parts/notice.tsx';
import type { ShownDraft } from '../use-draft.tsx';

/** Lists of a draft that was left for longer than lists are kept. */
export function GoneLists({ shown: { draft, change, isSaving } }: { shown: ShownDraft }) {
  const { gone } = draft;
  if (gone.length === 0) return null;
  const isOne = gone.length === 1;
  return (
    <Notice
      tone="warn"
      next={`Send ${isOne ? 'it' : 'them'} again by the same name: what you chose for ${isOne ? 'its' : 'their'} columns is kept.`}
      action={
        <button
          class="button small"
          type="button"
          disabled={isSaving}
          onClick={() => void change(() => ({ gone: [] }))}
        >
          Go on without
        </button>
      }
    >
      Lists are kept for a day: {gone.join(', ')} {isOne ? 'was' : 'were'} deleted.
    </Notice>
  );
}
