import { useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';

/**
 * Copies a text. Where the browser does not allow it, it says so: the text can be marked by hand.
 *
 * @param what e.g. "the token"
 */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Not allowed here: mark it');
    }
  };
  return (
    <>
      <button
        class="button"
        type="button"
        onClick={() => {
          void copy();
        }}
      >
        <Icon name={said === 'Copied' ? 'check' : 'file'} />
        {said ?? 'Copy'}
        <span class="visually-hidden"> {what}</span>
      </button>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}
