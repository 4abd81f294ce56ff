import type { ProblemBody } from '../../contract/common.ts';
import { TextField } from './field.tsx';

/** After how many calls it stops by itself, beside what starts it; most leave it empty. */
export function StartLimit({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: ProblemBody | undefined;
  onChange: (typed: string) => void;
}) {
  return (
    <div class="start-limit">
      <TextField
        label="Calls at most"
        placeholder="all"
        autoComplete="off"
        value={value}
        problem={problem && { ...problem, hint: null }}
        onChange={onChange}
      />
    </div>
  );
}

/** What is sent: null for all. What is no number is sent as it was typed, so that it is refused and nobody is called. */
export function limitOf(typed: string): number | string | null {
  const text = typed.trim();
  if (text === '') return null;
  return /^\d+$/.test(text) ? Number(text) : text;
}
