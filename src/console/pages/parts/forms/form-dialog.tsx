import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Problem } from '../../../../views/fields.ts';
import type { Action } from '../../api/action.ts';
import { Dialog } from '../dialog.tsx';
import { ProblemNotice } from '../notice.tsx';

/** What is typed into the lines of a form. @param empty what stands in each at first, by its name in the request */
export function useTypedFields<F extends string>(empty: Readonly<Record<F, string>>) {
  const [typed, setTyped] = useState(empty);
  return {
    typed,
    /** Attributes of a `TextField`. @param problem what is refused of it */
    fieldOf: (name: F, problem: Problem | undefined) => ({
      name,
      value: typed[name],
      problem,
      autoComplete: 'off',
      onChange: (value: string) => {
        setTyped({ ...typed, [name]: value });
      },
    }),
  };
}

/** The fields of a form that hold something, without spaces around it: what is empty is left out of a request. */
export function filledIn<F extends string>(typed: Readonly<Record<F, string>>) {
  return Object.fromEntries(
    Object.entries<string>(typed)
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as Partial<Record<F, string>>;
}

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
  problem: Problem | undefined;
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
