import type { Problem } from '../../../../views/fields.ts';

/** Where in a form a refusal is shown. */
interface ProblemPlaces<F extends string> {
  /** What is wrong with this field. */
  at: (field: F) => Problem | undefined;
  /** What concerns none of the fields. */
  elsewhere: Problem | undefined;
}

/**
 * Finds the field that a refusal is about: the one that the API names, the one whose code it is, or the one that its
 * sentence begins with, as the command line does with a flag (`until "2020-01-01" has passed`).
 *
 * @param fields codes of refusals that are about the field, by its name in the request
 */
export function problemPlaces<F extends string>(
  problem: Problem | undefined,
  fields: Readonly<Record<F, readonly string[]>>,
): ProblemPlaces<F> {
  const named = problem?.field?.split('.')[0] ?? /^(?:--)?(\w+) "/.exec(problem?.detail ?? '')?.[1];
  const all = Object.keys(fields) as F[];
  const found =
    all.find((field) => field === named) ??
    all.find((field) => problem !== undefined && fields[field].includes(problem.code));
  return {
    at: (field) => (field === found ? problem : undefined),
    elsewhere: found === undefined ? problem : undefined,
  };
}
