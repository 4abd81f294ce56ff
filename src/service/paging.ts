import type { Profile } from './profile.ts';
import { asNumber, firstOf, scopesOf } from './read-fields.ts';

type Rules = Profile['agents']['list'];

/** One page of a list and what was known when it was asked for. */
export interface Page {
  answer: unknown;
  /** Full address it came from. */
  url: URL;
  /** The Link header (RFC 8288), if any. */
  linkHeader: string | undefined;
  /** Items on this page. */
  count: number;
  /** Items on all pages so far, this one included. */
  collected: number;
}

/** Where the next page is, that this was the last, or that there is one we cannot find. */
export type NextPage = { at: URL } | 'none' | 'lost';

/**
 * Finds the next page: a link, a value to send back (cursor, page or offset), or counting on from this
 * page's number or offset. Links to another origin are not followed: the key goes to its own host only.
 */
export function nextPage(page: Page, rules: Rules): NextPage {
  const { next } = rules;
  const scopes = scopesOf(page.answer, rules.within);
  const more = firstOf(scopes, next.more, asBoolean);
  const total = numberIn(scopes, next.total);
  if (more === false) return 'none';

  const header = linkIn(page.linkHeader);
  if (header !== undefined) return follow(header, page.url);
  const link = firstOf(scopes, next.links, asHint);
  if (typeof link === 'string') return isLink(link) ? follow(link, page.url) : 'lost';

  for (const [path, parameter] of next.values) {
    const value = firstOf(scopes, [path], asHint);
    if (typeof value !== 'string') continue;
    return isLink(value)
      ? follow(value, page.url)
      : { at: withParameter(page.url, parameter, value) };
  }

  const number = numberIn(scopes, next.page.at);
  const pages = numberIn(scopes, next.pages) ?? 0;
  const isMore = more === true || (number ?? 0) < pages || page.collected < (total ?? 0);
  if (!isMore) return 'none';
  if (number !== undefined) {
    return { at: withParameter(page.url, next.page.send, String(number + 1)) };
  }
  const offset = numberIn(scopes, next.offset.at);
  if (offset !== undefined && page.count > 0) {
    return { at: withParameter(page.url, next.offset.send, String(offset + page.count)) };
  }
  return 'lost';
}

function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A cursor, number or link that says there is more; empty text, false and 0 say nothing. */
function asHint(value: unknown): string | undefined {
  if (typeof value === 'number' && value > 0) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberIn(scopes: readonly unknown[], candidates: Rules['id']): number | undefined {
  return firstOf(scopes, candidates, asNumber) ?? undefined;
}

function isLink(text: string): boolean {
  return /^(https?:\/\/|\/|\?)/.test(text);
}

function follow(link: string, from: URL): NextPage {
  if (!URL.canParse(link, from.href)) return 'lost';
  const at = new URL(link, from);
  return at.origin === from.origin ? { at } : 'lost';
}

function withParameter(from: URL, name: string, value: string): URL {
  const at = new URL(from);
  at.searchParams.set(name, value);
  return at;
}

function linkIn(header: string | undefined): string | undefined {
  for (const part of header?.split(/,(?=\s*<)/) ?? []) {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    if (/;\s*rel\s*=\s*"?([^";]*\s)?next[\s";]?/i.test(`${parameters};`)) return target;
  }
  return undefined;
}
