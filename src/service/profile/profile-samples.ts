import { rounded } from '../../domain/money.ts';
import { FORM, parseJson } from '../http/body.ts';
import { itemsIn } from '../http/paging.ts';
import type { Profile } from './profile.ts';
import { candidatesOf, type Candidate } from './profile-pin.ts';
import { asObject, pathText, type OnFound, type Path } from './read-fields.ts';
import { payloadOf } from '../webhooks/delivery.ts';
import { READERS, type Operation } from './sample-readers.ts';

/** A saved answer of a service. */
export interface Sample {
  /**
   * The file name, which starts with the operation: `dial.json`, `analytics-done.json`, `webhook-ended.json`;
   * `dial-422-busy.json` has HTTP status 422. `more-done.json` is read with `analytics-done.json`.
   */
  name: string;
  text: string;
}

/** What a profile reads from a sample. */
export interface SampleReading {
  name: string;
  operation: Operation;
  /** False when callsheet could not use such an answer. */
  ok: boolean;
  /** How callsheet understands the answer, as a sentence. */
  says: string;
  /** The values that were found, each with its candidate. */
  found: Found[];
  /** Fields whose candidates found nothing, with what was looked for. */
  missed: { field: string; lookedFor: string }[];
  /** Values of the answer that no candidate has read; at most 40. */
  unused: { at: string; value: string }[];
}

export interface Found extends Candidate {
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
