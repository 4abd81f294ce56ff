import { useRef, useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';

/**
 * Copies a text. Where the browser does not allow that, e.g. over http from another machine, it marks what stands
 * before it, so that the keyboard copies it.
 *
 * @param what e.g. "the token"
 * @param isSmall in a line of text: without a word of its own
 */
export function CopyButton({
  text,
  what,
  isSmall = false,
}: {
  text: string;
  what: string;
  isSmall?: boolean;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      mark(button.current?.previousElementSibling);
      setSaid('Marked: copy it with the keyboard');
    }
  };
  return (
    <>
      <button
        ref={button}
        class={isSmall ? 'button quiet small icon' : 'button'}
        type="button"
        title={isSmall ? `Copy ${what}` : undefined}
        onClick={() => {
          void copy();
        }}
      >
        <Icon name={said === 'Copied' ? 'check' : 'copy'} />
        <span class={isSmall ? 'visually-hidden' : undefined}>{said ?? 'Copy'}</span>
        <span class="visually-hidden"> {what}</span>
      </button>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

/** A text in a line, with a button that copies it. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span class="copyable">
      <span class="number-like break">{text}</span>
      <CopyButton text={text} what={what} isSmall />
    </span>
  );
}

function mark(element: Element | null | undefined): void {
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element != null) getSelection()?.selectAllChildren(element);
}
