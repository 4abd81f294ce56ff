import { computed, signal } from '@preact/signals';

import { decoded } from '../../../text/wording.ts';
import { query } from '../api/client.ts';

/** What a page is given. */
export interface PageProps {
  /** What follows the page's own part of the path: of `/campaigns/spring/people` it is `['spring', 'people']`. */
  parts: string[];
}

/**
 * The address of the page. Every page and every filter has one, so that it can be kept, sent to somebody and gone back
 * to; nothing else decides what is shown.
 */
const address = signal(new URL(location.href));

/** `/campaigns/spring/people` as `['campaigns', 'spring', 'people']`. */
export const pathParts = computed(() =>
  address.value.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
);
/** What stands after the `?`. */
export const params = computed(() => address.value.searchParams);
/** Path and query, to come back to. */
export const here = computed(() => `${address.value.pathname}${address.value.search}`);

/** An open form with changes; `ask` is called instead of leaving it, unless they are being saved. */
export const unsaved = signal<
  { save: () => Promise<unknown>; ask: (to: string) => void; isBusy: boolean } | undefined
>(undefined);

/** @returns whether a form asks first. The form is open at its path and its `change`. */
function asksFirst(to: URL): boolean {
  const stays =
    to.pathname === address.value.pathname &&
    to.searchParams.get('change') === params.value.get('change');
  const asks = !stays && unsaved.value?.isBusy === false;
  if (asks) unsaved.value?.ask(to.href);
  return asks;
}

/** Saves what is open, then goes on; a refusal keeps the page. */
export async function saveAndGo(to: string): Promise<void> {
  await unsaved.value?.save();
  if (unsaved.value === undefined) go(to);
}

/** @param to a path of this console; `replace`: without a step in the browser's history */
export function go(to: string, { replace = false } = {}): void {
  const url = new URL(to, location.origin);
  const isOther = url.pathname !== address.value.pathname;
  // What is replaced by another page is no longer there, as after a renaming.
  const mayAsk = !(replace && isOther);
  if (url.origin !== location.origin || (mayAsk && asksFirst(url))) return;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  address.value = url;
  if (!isOther) return;
  scrollTo(0, 0);
  // A reader of the screen hears which page it is now, and the keyboard goes on from its beginning.
  queueMicrotask(() => document.querySelector<HTMLElement>('#content')?.focus());
}

/** Sets some of the filters in the address; null, undefined and '' take one away. */
export function setParams(
  changed: Record<string, string | number | null | undefined>,
  { replace = true } = {},
): void {
  const all = { ...Object.fromEntries(params.value), ...changed };
  go(`${address.value.pathname}${query(all)}`, { replace });
}

/** Sets one of them to what is chosen or typed. */
export const setsParam = (name: string) => (value: string) => setParams({ [name]: value });

/** Follows links within the console without loading it anew; called once. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    const url = new URL(location.href);
    if (asksFirst(url)) history.pushState(null, '', address.value);
    else address.value = url;
  });
  addEventListener('beforeunload', (event) => {
    if (unsaved.value !== undefined) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest('a');
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/') || url.hash !== '')
      return;
    event.preventDefault();
    go(link.href);
  });
}
