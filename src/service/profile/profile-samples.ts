import { parseDocument, type Document } from 'yaml';

import { rounded } from '../../domain/money.ts';
import { FORM, parseJson } from '../http/body.ts';
import { itemsIn } from '../http/paging.ts';
import { payloadOf } from '../webhooks/delivery.ts';
import type { Expression } from './expressions.ts';
import type { Profile } from './profile.ts';
import { asObject, pathText, type OnFound, type Path } from './read-fields.ts';
import { READERS, type Operation } from './sample-readers.ts';

export interface Sample {
  /**
   * The file name, which starts with the operation: `dial.json`, `analytics-done.json`, `webhook-ended.json`;
   * `dial-422-busy.json` has HTTP status 422. `more-done.json` is read with `analytics-done.json`.
   */
  name: string;
  text: string;
}

export interface SampleReading {
  name: string;
  operation: Operation;
  /** False when callsheet could not use such an answer. */
  ok: boolean;
  /** How callsheet understands the answer, as a sentence. */
  says: string;
  found: Found[];
  /** Fields whose candidates found nothing, with what was looked for. */
  missed: { field: string; lookedFor: string }[];
  /** Values of the answer that no candidate has read; at most 40. */
  unused: { at: string; value: string }[];
}

interface Found extends Candidate {
  path: Path;
  value: string;
}

const NAME =
  /^(dial|analytics|agents|calls|slots|webhook)(?:-([1-5]\d\d))?(?:[-_.].*)?\.(?:json|form)$/;
/** Fields inside another field: these are not reported as missing by themselves. */
const PARTS =
  /^analytics\.startedAt$|\.(role|say|url|label|score|scoreAt|endedAt|when|within|errors\.at)$|\.(next|more)\.|^webhooks\.(?!type$|callId$)/;

/**
 * Makes the function that reads samples with a profile; it returns null if the file name does not name an operation.
 */
export function createSampleReader(
  profile: Profile,
  now: number,
): (sample: Sample, beside?: readonly Sample[]) => SampleReading | null {
  const candidates = candidatesOf(profile);
  return ({ name, text }, beside = []) => {
    const [, operation, status] = NAME.exec(name) ?? [];
    if (operation === undefined) return null;
    const taken = new Map<Path, unknown>();
    const onFound: OnFound = (path, value) => {
      if (!taken.has(path)) taken.set(path, value);
    };
    const json = parseJson(text);
    // The body of a webhook may be a form.
    const isForm = json === undefined && operation === 'webhook';
    const alone = isForm ? payloadOf(Buffer.from(text.trim()), FORM) : json;
    const second = beside.find((each) => each.name === name.replace(/^analytics/, 'more'));
    const answer =
      operation === 'analytics' ? withMore(alone, second, profile.analytics.more) : alone;
    const asked = { profile, answer, text, onFound, now, status: Number(status ?? 200) };
    const { ok, says } = READERS[operation as Operation](asked);
    const found = [...taken].flatMap(([path, value]) => {
      const candidate = candidates.get(path);
      return candidate === undefined ? [] : [{ ...candidate, path, value: excerptOf(value) }];
    });
    const isWhole =
      ok && (operation === 'analytics' ? says.startsWith('settled') : status === undefined);
    return {
      name,
      operation: operation as Operation,
      ok,
      says,
      found,
      missed: isWhole ? missedBy(candidates, operation, found) : [],
      unused: unusedOf(answer, new Set([...taken.values()].map(excerptOf))),
    };
  };
}

/** As a poll has it: the answer of the second read beside the fields of the first. */
function withMore(
  first: unknown,
  second: Sample | undefined,
  more: Profile['analytics']['more'],
): unknown {
  if (second === undefined || more === undefined || asObject(first) === undefined) return first;
  const json = parseJson(second.text);
  const found = more.items.length === 0 ? json : itemsIn(json, more.items)?.items;
  return { ...asObject(first), [more.into]: found ?? [] };
}

function missedBy(candidates: Map<Path, Candidate>, operation: string, found: readonly Found[]) {
  const there = new Set(found.map(({ field }) => field));
  // Either text or turns is enough for a transcript.
  if (there.has('analytics.transcript.text')) there.add('analytics.transcript.turns');
  if (there.has('analytics.transcript.turns')) there.add('analytics.transcript.text');
  const missed = new Map<string, string[]>();
  for (const { field, text } of candidates.values()) {
    if (!field.startsWith(operation) || there.has(field) || PARTS.test(field)) continue;
    if (/\.(within|next)(\.|$)|^agents\.create/.test(field)) continue;
    missed.set(field, [...(missed.get(field) ?? []), text]);
  }
  return Array.from(missed, ([field, texts]) => ({ field, lookedFor: texts.join(', ') }));
}

const MOST_UNUSED = 40;

/** Unused values by their path; only the first two items of each list are visited. */
function unusedOf(answer: unknown, used: ReadonlySet<string>): { at: string; value: string }[] {
  const unused: { at: string; value: string }[] = [];
  const visit = (value: unknown, at: string[]): void => {
    if (unused.length >= MOST_UNUSED || at.length > 8) return;
    if (typeof value === 'object' && value !== null && !used.has(excerptOf(value))) {
      const entries = Object.entries(value);
      for (const [key, item] of Array.isArray(value) ? entries.slice(0, 2) : entries)
        visit(item, [...at, key]);
      return;
    }
    const text = excerptOf(value);
    if (value !== null && !used.has(text)) unused.push({ at: pathText(at), value: text });
  };
  visit(answer, []);
  return unused;
}

/** @param value undefined for a sample that is not JSON */
function excerptOf(value: unknown): string {
  const shown = typeof value === 'number' ? rounded(value) : value;
  const text = shown === undefined ? '' : JSON.stringify(shown);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Lists that are never narrowed: they say where to look, not what to read, or a profile is not valid without them. */
const LEFT_ALONE =
  /^(slots|webhooks)\.|\.(within|body|fields|settled\.when|settled\.endedAt|status\.at)$|\.(next|more|create)\./;

/**
 * Narrows a profile to what one service really sends: every list keeps only the candidates that were found in saved
 * answers, so that an answer of another shape is an error, not a guess. Sections without a saved answer stay unchanged.
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

interface Candidate {
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
