import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProblemBody } from '../../../contract/common.ts';
import { params, setParams } from '../../shell/navigation.ts';
import { TextField } from '../field.tsx';

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
  problem?: ProblemBody | undefined;
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
    return () => {
      clearTimeout(pause);
    };
  }, [typed]);
  // The address was changed elsewhere: by the browser's way back, or by a button.
  useEffect(() => {
    if (inAddress === applied.current) return;
    applied.current = inAddress;
    setTyped(inAddress);
  }, [inAddress]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
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
    </form>
  );
}
