import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact';

import { Icon, type IconName } from './badge.tsx';

/** What a button sets off once at a time. */
export interface ButtonAction {
  run: () => unknown;
  isBusy: boolean;
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'action' | 'icon'> {
  /** Further classes, e.g. `primary` or `quiet small`. */
  kind?: string;
  icon?: IconName;
  /** Instead of `onClick`. */
  action?: ButtonAction;
  children?: ComponentChildren;
}

/** A button; it sends no form unless its type is `submit`. */
export function Button({ kind = '', icon, action, children, ...more }: ButtonProps) {
  return (
    <button
      class={`button ${kind}`}
      type="button"
      aria-disabled={action?.isBusy}
      onClick={action && (() => void action.run())}
      {...more}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A form that stays on its page. @param does called when it is sent */
export function Form({
  form,
  does,
  children,
  ...more
}: {
  form?: Ref<HTMLFormElement>;
  does: () => unknown;
  class?: string;
  'aria-label'?: string;
  role?: 'search';
  children: ComponentChildren;
}) {
  return (
    <form
      {...(form && { ref: form })}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        does();
      }}
      {...more}
    >
      {children}
    </form>
  );
}
