import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/**
 * Lies over the page until it is closed: Escape, the cross, or what is within. The browser keeps the focus inside, and
 * gives it back afterwards.
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
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={kind === 'drawer' ? 'drawer' : kind}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose?.();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={heading} class="break">
            {title}
          </h2>
          {onClose !== undefined && (
            <button
              class="button quiet small icon"
              type="button"
              aria-label="Close"
              onClick={() => {
                onClose();
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before something that cannot be undone. */
export function Confirm({
  title,
  children,
  does,
  isDanger = false,
  isBusy,
  onYes,
  onNo,
}: {
  title: string;
  children: ComponentChildren;
  /** What the button says: what is done, e.g. "Cancel the campaign". */
  does: string;
  isDanger?: boolean;
  isBusy: boolean;
  onYes: () => void;
  onNo: () => void;
}) {
  return (
    <Dialog title={title} onClose={onNo}>
      {children}
      <footer>
        <button class="button" type="button" onClick={onNo}>
          No, leave it
        </button>
        <button
          class={`button ${isDanger ? 'danger' : 'primary'}`}
          type="button"
          disabled={isBusy}
          onClick={onYes}
        >
          {does}
        </button>
      </footer>
    </Dialog>
  );
}
