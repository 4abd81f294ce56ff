import { useState } from 'preact/hooks';
import type { ProblemBody } from '../../../contract/common.ts';

/** What is typed into the lines of a form. @param empty what stands in each at first, by its name in the request */
export function useTypedFields<F extends string>(empty: Readonly<Record<F, string>>) {
  const [typed, setTyped] = useState(empty);
  return {
    typed,
    /** Attributes of a `TextField`. @param problem what is refused of it */
    fieldOf: (name: F, problem: ProblemBody | undefined) => ({
      name,
      value: typed[name],
      problem,
      autoComplete: 'off',
      onChange: (value: string) => {
        setTyped({ ...typed, [name]: value });
      },
    }),
  };
}
