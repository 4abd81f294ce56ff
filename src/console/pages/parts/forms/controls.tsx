import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Problem } from '../../../../views/fields.ts';
import { params, setParams } from '../../shell/navigation.ts';
import { Icon } from '../badge.tsx';
import { Form } from '../button.tsx';
import { TextField, type FieldProps } from '../field.tsx';

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
        onClick={() => void copy()}
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

/** Takes files that are dropped on it, or chosen. */
export function DropZone({
  onFiles,
  title = 'Drop a list here, or several',
  about = 'CSV, TSV or text with any separator, or Excel (.xlsx); also packed as .gz or .zip',
  isForOne = false,
  isDisabled = false,
}: {
  /** Gets at least one. */
  onFiles: (files: readonly File[]) => void;
  title?: ComponentChildren;
  about?: string;
  /** One file takes the place of the one before. */
  isForOne?: boolean;
  isDisabled?: boolean;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (given: FileList | null | undefined) => {
    const files = Array.from(given ?? []).slice(0, isForOne ? 1 : undefined);
    if (files.length > 0 && !isDisabled) onFiles(files);
  };
  return (
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <Icon name="upload" />
      <div>
        <p class="drop-title break">{title}</p>
        <p class="soft small-text" id={`${id}-about`}>
          {about}
        </p>
      </div>
      <div>
        <input
          id={id}
          class="visually-hidden"
          type="file"
          multiple={!isForOne}
          disabled={isDisabled}
          aria-describedby={`${id}-about`}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again after it was mended.
            currentTarget.value = '';
          }}
        />
        <label class="button" aria-disabled={isDisabled || undefined} for={id}>
          {isForOne ? 'Choose a file' : 'Choose files'}
        </label>
      </div>
    </div>
  );
}

/** Refusals that are about a new password. */
export const PASSWORD_CODES = ['PASSWORD_TOO_SHORT', 'PASSWORD_GUESSABLE'] as const;

/** A new password; whether it is good enough is decided where it is kept. */
export function PasswordField(field: FieldProps) {
  return (
    <TextField
      {...field}
      about="At least 12 characters; four or five words in a row are easy to keep in mind."
      type="password"
      name="new-password"
      autoComplete="new-password"
      required
    />
  );
}

const TYPING_MS = 300;

/** What is typed goes into the address as `text`, after a moment or at once with Enter. */
export function SearchField({
  label = 'Search',
  placeholder,
  problem,
}: {
  label?: string;
  placeholder: string;
  /** Why it cannot be searched for. */
  problem?: Problem | undefined;
}) {
  const inAddress = params.value.get('text') ?? '';
  const [typed, setTyped] = useState(inAddress);
  const applied = useRef(inAddress);
  const apply = () => {
    applied.current = typed.trim();
    setParams({ text: applied.current });
  };
  useEffect(() => {
    if (typed.trim() === applied.current) return undefined;
    const pause = setTimeout(apply, TYPING_MS);
    return () => clearTimeout(pause);
  }, [typed]);
  // The address was changed elsewhere: by the browser's way back, or by a button.
  useEffect(() => {
    if (inAddress === applied.current) return;
    applied.current = inAddress;
    setTyped(inAddress);
  }, [inAddress]);
  return (
    <Form role="search" does={apply}>
      <TextField
        label={label}
        type="search"
        name="text"
        autoComplete="off"
        placeholder={placeholder}
        problem={problem}
        value={typed}
        onChange={setTyped}
      />
    </Form>
  );
}
