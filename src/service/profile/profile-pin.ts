import { parseDocument, type Document } from 'yaml';

import type { Expression } from './expressions.ts';
import type { Profile } from './profile.ts';
import { pathText, type Path } from './read-fields.ts';

/** Lists that are never narrowed: they say where to look, not what to read, or a profile is not valid without them. */
const LEFT_ALONE =
  /^(slots|webhooks)\.|\.(within|body|fields|settled\.when|settled\.endedAt|status\.at)$|\.(next|more|create)\./;

/**
 * Narrows a profile to what one service really sends: every list keeps only the candidates that were found in saved
 * answers, so that an answer of another shape is an error, not a guess. Sections without a saved answer stay unchanged.
 *
 * @param found every candidate that gave a value in some answer
 * @param note a comment for the beginning of the file
 * @returns `text`: the profile as YAML, with its comments
 */
export function pinProfile(profile: Profile, found: ReadonlySet<Path>, note: string) {
  const candidates = candidatesOf(profile);
  const lists = new Map<string, { path: Path; candidate: Candidate }[]>();
  for (const [path, candidate] of candidates) {
    const { field } = candidate;
    lists.set(field, [...(lists.get(field) ?? []), { path, candidate }]);
  }
  const answered = new Set<string>();
  for (const path of found) answered.add(sectionOf(candidates.get(path)?.field ?? ''));
  const document = parseDocument(profile.text);
  /** Lists of candidates that became shorter, e.g. `analytics.summary: summary (of 4)`. */
  const kept: string[] = [];
  /** Lists none of whose candidates was found: these lists become empty. */
  const empty: string[] = [];
  for (const [field, all] of lists) {
    if (LEFT_ALONE.test(field) || !answered.has(sectionOf(field))) continue;
    const matched = all.filter(({ path }) => found.has(path)).map(({ candidate }) => candidate);
    if (matched.length === all.length) continue;
    if (matched.length === 0 && isNeeded(field)) continue;
    keep(document, field.split('.'), new Set(matched.map(({ index }) => index)));
    if (matched.length === 0) empty.push(field);
    else kept.push(`${field}: ${matched.map(({ text }) => text).join(', ')} (of ${all.length})`);
  }
  document.commentBefore = `${note}${document.commentBefore ? `\n${document.commentBefore}` : ''}`;
  return { text: document.toString({ lineWidth: 110, flowCollectionPadding: false }), kept, empty };
}

/** The part of a profile that reads one kind of answer: `dial`, `analytics`, `calls`, `agents.list`. */
function sectionOf(field: string): string {
  return field.startsWith('agents')
    ? field.split('.').slice(0, 2).join('.')
    : (field.split('.')[0] ?? '');
}

/**
 * Lists that are never emptied: without some of them a profile is not valid, and others are about rare calls that
 * matter, such as a call in which the person asks not to be called again.
 */
function isNeeded(field: string): boolean {
  return (
    /^(dial|calls|agents\.list)\.(callId|callIdInRefusal|items|id)$/.test(field) ||
    ['dial.errors.at', 'analytics.outcome.at', 'analytics.optOut', 'analytics.callback'].includes(
      field,
    )
  );
}

/** Keeps only the items of a list, or the pairs of a map, at these indexes. */
function keep(document: Document, at: readonly string[], places: ReadonlySet<number>): void {
  const node = document.getIn(at, true) as { items?: unknown[] } | undefined;
  if (node?.items === undefined) return;
  node.items = node.items.filter((_item, index) => places.has(index));
}

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
