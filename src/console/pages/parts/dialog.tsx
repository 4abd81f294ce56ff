import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../views/fields.ts';
import { Button, Form, type ButtonAction } from './button.tsx';
import { ProblemNotice } from './notice.tsx';

/**
 * Lies over the page until it is closed: Escape, the cross, or what is within; a drawer also by a click beside it, which
 * would take from a form what was typed. The browser keeps the focus inside, and gives it back afterwards.
 *
 * @param onClose undefined: it cannot be closed by hand
 */
export function Dialog({
  title,
  onClose,
  kind = 'dialog',
  children,
}: {
  title: ComponentChildren;
  onClose: (() => void) | undefined;
  kind?: 'dialog' | 'dialog wide' | 'drawer';
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  const isPressedBeside = useRef(false);
  const stays = onClose === undefined;
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      isOver.current = true;
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    if (!stays) return undefined;
    // Browsers close a dialog at the second Escape, whatever was answered to the first, and then the one below it.
    const stop = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault();
    };
    document.addEventListener('keydown', stop);
    return () => document.removeEventListener('keydown', stop);
  }, [stays]);
  return (
    <dialog
      ref={dialog}
      class={kind === 'drawer' ? 'drawer' : kind}
      aria-labelledby={heading}
      onCancel={(event) => {
        // A field for files tells that none was chosen by the same event.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        if (isOver.current) return;
        if (onClose === undefined) dialog.current?.showModal();
        else onClose();
      }}
      onPointerDown={({ target }) => {
        isPressedBeside.current = target === dialog.current;
      }}
      onClick={({ target }) => {
        // Who marks a text and lets go beside the dialog does not mean to leave it.
        if (kind === 'drawer' && target === dialog.current && isPressedBeside.current) onClose?.();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={heading} class="break">
            {title}
          </h2>
          {onClose !== undefined && (
            <Button
              kind="quiet small icon"
              icon="close"
              aria-label="Close"
              onClick={() => onClose()}
            ></Button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** What lies over a page, or nothing. */
export function useOver<T = true>() {
  const [over, setOver] = useState<T>();
  return {
    over,
    /** Made for a button. */
    opens: (what: T) => () => setOver(what),
    close: () => setOver(undefined),
  };
}

/** What lies over a page is given how it is left, and what follows when it has done its work. */
export interface LiesOver {
  onClose: () => void;
  onDone: () => void;
}

export type Over<T> = ReturnType<typeof useOver<T>>;

/** Asks before something is done; a refusal of it is shown there. */
export function Confirm({
  action,
  ...more
}: Omit<FormDialogProps, 'kind' | 'problem'> & {
  action: ButtonAction & { problem?: Problem | undefined };
}) {
  return <FormDialog {...more} action={action} problem={action.problem} />;
}

interface FormDialogProps {
  title: string;
  kind?: 'dialog' | 'dialog wide';
  /** What the button says: what is done, e.g. "Cancel the campaign". */
  does: string;
  isDanger?: boolean;
  action: ButtonAction;
  /** What is refused and concerns none of the fields. */
  problem?: Problem | undefined;
  onClose: () => void;
  children: ComponentChildren;
}

/** A form that lies over the page, with what is done at its end. */
export function FormDialog({
  title,
  does,
  isDanger = false,
  kind = 'dialog',
  action,
  problem,
  onClose,
  children,
}: FormDialogProps) {
  return (
    <Dialog kind={kind} title={title} onClose={onClose}>
      <Form does={() => action.run()}>
        {children}
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <footer class="row tight end">
          <Button onClick={onClose}>Leave it</Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            type="submit"
            aria-disabled={action.isBusy}
          >
            {does}
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
