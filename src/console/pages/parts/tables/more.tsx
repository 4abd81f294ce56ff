import type { Action } from '../../api/action.ts';
import { ProblemNotice } from '../notice.tsx';

/** At the end of a list: reads what follows. @param next null: that is all */
export function More({
  next,
  more,
  children,
}: {
  next: string | null;
  more: Action<[]>;
  /** What the button says, e.g. "Older entries". */
  children: string;
}) {
  if (next === null) return null;
  return (
    <div class="stack tight">
      {more.problem !== undefined && <ProblemNotice problem={more.problem} />}
      <div>
        <button
          class="button"
          type="button"
          disabled={more.isBusy}
          onClick={() => {
            void more.run();
          }}
        >
          {children}
        </button>
      </div>
    </div>
  );
}
