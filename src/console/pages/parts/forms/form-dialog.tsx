import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/action.ts';
import type { ProblemBody } from '../../../contract/common.ts';
import { Dialog } from '../dialog.tsx';
import { ProblemNotice } from '../notice.tsx';

/** A form that lies over the page, with what is done at its end. */
export function FormDialog({
  title,
  does,
  isDanger = false,
  action,
  problem,
  onClose,
  children,
}: {
  title: string;
  /** What the button says. */
  does: string;
  isDanger?: boolean;
  action: Action<[]>;
  /** What is refused and concerns none of the fields. */
  problem: ProblemBody | undefined;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        {children}
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <footer class="row tight end">
          <button class="button" type="button" onClick={onClose}>
            Leave it
          </button>
          <button
            class={`button ${isDanger ? 'danger' : 'primary'}`}
            type="submit"
            disabled={action.isBusy}
          >
            {does}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
