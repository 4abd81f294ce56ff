import type { Expression } from './expressions.ts';
import type { Profile } from './profile.ts';
import { pathText, type Path } from './read-fields.ts';

/** A candidate of a profile, and its place in the file. */
export interface Candidate {
  /** The key of the list that contains the candidate, e.g. `analytics.summary`. */
  field: string;
  /** The candidate as the file has it, e.g. `call.id`. */
  text: string;
  /** The candidate's index in that list. */
  index: number;
}

/**
 * Every candidate of a profile by its path. Paths are compared by identity, because the same name in two lists is two
 * candidates.
 */
export function candidatesOf(profile: Profile): Map<Path, Candidate> {
  const found = new Map<Path, Candidate>();
  for (const key of SECTIONS) collect(profile[key], [key], found);
  return found;
}

const SECTIONS = ['agents', 'dial', 'analytics', 'calls', 'slots', 'webhooks'] as const;

function collect(value: unknown, at: string[], found: Map<Path, Candidate>): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    if (value instanceof Map || value instanceof Set) return;
    for (const [key, item] of Object.entries(value)) collect(item, [...at, key], found);
    return;
  }
  const field = at.join('.');
  (value as unknown[]).forEach((item, index) => {
    // The list holds candidates, or pairs of a candidate and its meaning.
    const path = isPath(item) ? item : Array.isArray(item) && isPath(item[0]) ? item[0] : null;
    if (path !== null) found.set(path, { field, text: pathText(path), index });
  });
}

function isPath(value: unknown): value is Path {
  if (Array.isArray(value)) return value.every((name) => typeof name === 'string');
  return typeof (value as Partial<Expression> | null)?.evaluate === 'function';
}
