import type { ComponentChildren, Ref } from 'preact';

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
