import { parseDocument } from 'yaml';
import type { Document } from 'yaml';
import type { Profile } from './profile.ts';
import { candidatesOf } from './profile-fields-found.ts';
import type { Candidate } from './profile-fields-found.ts';
import type { Path } from './read-fields.ts';

/** What a pinned copy has kept. */
export interface Pinned {
  /** The profile as YAML, its comments with it. */
  text: string;
  /** Lists of candidates that became shorter, e.g. `analytics.summary: summary (of 4)`. */
  kept: string[];
  /** Lists of which nothing was found: kept as they are in a section without answers, otherwise emptied. */
  empty: string[];
}

/** Lists that say where to look, not what; and those without which a profile is none. */
const LEFT_ALONE =
  /^(slots|webhooks)\.|\.(within|body|fields|next\..*|create\..*|settled\.when|settled\.endedAt|status\.at)$/;

/**
 * An exact copy of a profile: of every list of candidates only those that were found in real answers, so that
 * an answer of another shape is an error and not a guess. Sections that no answer speaks of stay as they are.
 *
 * @param found every candidate that gave a value in some answer
 * @param note a comment for the head of the file
 */
export function pinProfile(profile: Profile, found: ReadonlySet<Path>, note: string): Pinned {
  const candidates = candidatesOf(profile);
  const lists = new Map<string, { path: Path; candidate: Candidate }[]>();
  for (const [path, candidate] of candidates) {
    const { field } = candidate;
    lists.set(field, [...(lists.get(field) ?? []), { path, candidate }]);
  }
  const answered = new Set<string>();
  for (const path of found) answered.add(sectionOf(candidates.get(path)?.field ?? ''));
  const document = parseDocument(profile.text);
  const kept: string[] = [];
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

/** `dial`, `analytics`, `calls`, `agents.list`: what one kind of answer speaks of. */
function sectionOf(field: string): string {
  return field.startsWith('agents')
    ? field.split('.').slice(0, 2).join('.')
    : (field.split('.')[0] ?? '');
}

/**
 * Without some of these a profile is not valid; others tell of calls that are rare and matter, such as one
 * that ends with a wish not to be called again. What was not found of them stays.
 */
function isNeeded(field: string): boolean {
  return (
    /^(dial|calls|agents\.list)\.(callId|items|id)$/.test(field) ||
    ['dial.errors.at', 'analytics.outcome.at', 'analytics.optOut'].includes(field)
  );
}

/** A list keeps its items by place; a map, whose keys are the candidates, its pairs. */
function keep(document: Document, at: readonly string[], places: ReadonlySet<number>): void {
  const node = document.getIn(at, true) as { items?: unknown[] } | undefined;
  if (node?.items === undefined) return;
  node.items = node.items.filter((_item, index) => places.has(index));
}
