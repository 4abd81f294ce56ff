import type { ProblemBody } from '../../../contract/common.ts';
import { TextField } from '../field.tsx';

/** Refusals that are about a new password. */
export const PASSWORD_CODES = ['PASSWORD_TOO_SHORT', 'PASSWORD_GUESSABLE'] as const;

/** A new password; whether it is good enough is decided where it is kept. */
export function PasswordField({
  label,
  value,
  onChange,
  problem,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: ProblemBody | undefined;
}) {
  return (
    <TextField
      label={label}
      about="At least 12 characters; four or five words in a row are easy to keep in mind."
      type="password"
      name="new-password"
      autoComplete="new-password"
      required
      value={value}
      onChange={onChange}
      problem={problem}
    />
  );
}
