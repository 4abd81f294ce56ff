import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import {
  isCommand,
  NOTICE_EVENTS,
  type CampaignTarget,
  type NoticeEventName,
  type NoticeTarget,
} from '../domain/notices.ts';
import { isLoopback } from '../runtime/process.ts';
import { nearest } from '../text/nearest.ts';
import { fail } from './fields.ts';
import { readEntries } from './yaml-file.ts';

/**
 * `notify`: receivers and their events, as a list of `{ on: [attention], command: [...] }` and `{ on: [...], url:
 * https://..., secretEnv: NAME }`. No message shows an address, since that of a chat is a secret.
 */

/** The value of `notify` in a campaign file or `--set`: a list, the same as text, or none. */
export const notify = z.unknown().transform((value, context): CampaignTarget[] | null => {
  const read = readNotify(value, '');
  if (typeof read === 'string') return fail(context, read);
  return read?.map((target) => ({ ...target, from: 'given' })) ?? null;
});

/** @param folder where commands run @returns null for none; a text: the rest of a sentence that begins with `notify` */
export function readNotify(value: unknown, folder: string): NoticeTarget[] | null | string {
  if (value === 'none') return null;
  const items = typeof value === 'string' ? itemsOf(value) : value;
  if (!Array.isArray(items) || items.length === 0)
    return `is not a list such as ${EXAMPLE}, or none`;
  if (items.length > MOST) return `names more than ${MOST} receivers`;
  const targets: NoticeTarget[] = [];
  for (const [index, item] of items.entries()) {
    const target = readTarget(item, folder);
    if (typeof target === 'string') return `entry ${index + 1} ${target}`;
    targets.push(target);
  }
  return targets;
}

/** The same as one line that shows no secret; equal only for equal targets. */
export function formatNotify(targets: readonly NoticeTarget[] | undefined): string {
  if (targets === undefined) return 'none';
  return targets
    .map((target) => {
      const print = hash('sha256', JSON.stringify(target)).slice(0, 6);
      return `${target.on.join('+') || 'none'} to ${shownTarget(target)} (${print})`;
    })
    .join(', ');
}

/** A receiver in messages: the program's name, or the origin of the address. */
export function shownTarget(target: NoticeTarget): string {
  if (isCommand(target)) return `command ${basename(target.command[0] ?? '')}`;
  if (target.url !== undefined) return new URL(target.url).origin;
  return `the address in ${target.urlEnv ?? ''}`;
}

/** @returns the checked address; a text: the rest of a sentence about it */
export function readAddress(text: string): { url: string } | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'is not an address such as https://hooks.example.com/callsheet';
  if (url.username !== '' || url.password !== '')
    return 'holds a user or password; sign with secretEnv';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'is not https; plain http is allowed on loopback only';
  url.hash = '';
  return { url: url.href };
}

const MOST = 20;
const MOST_WORDS = 100;
const EXAMPLE = '[{ on: [attention], command: [./tell-ops] }]';
const KEYS = ['on', 'command', 'url', 'urlEnv', 'secretEnv'];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The list in the text of `--set notify=[...]`. */
function itemsOf(text: string): unknown {
  const { entries, problems } = readEntries(`notify: ${text}`);
  const [entry] = entries;
  return problems.length === 0 && entries.length === 1 && entry?.key === 'notify'
    ? entry.value
    : undefined;
}

function readTarget(item: unknown, folder: string): NoticeTarget | string {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return 'is not a group such as { on: [attention], command: [./tell-ops] }';
  const given = item as Record<string, unknown>;
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    return `has "${unknown.slice(0, 40)}", which is not a key; the keys are ${KEYS.join(', ')}`;
  const on = readEvents(given['on']);
  if (typeof on === 'string') return on;
  const { command, url, urlEnv, secretEnv } = given;
  const ways = [command, url, urlEnv].filter((way) => way !== undefined).length;
  if (ways !== 1) return 'needs one of command, url and urlEnv';
  if (command !== undefined) {
    if (secretEnv !== undefined)
      return 'has secretEnv, which belongs to an address, not to a command';
    const words = typeof command === 'string' ? undefined : command;
    if (!isTexts(words) || words.length > MOST_WORDS || words[0] === '')
      return 'has a command that is not a list of words such as [/usr/local/bin/tell, ops]; there is no shell';
    return { on, command: words, folder };
  }
  const wrongName = [urlEnv, secretEnv].some(
    (name) => name !== undefined && !(typeof name === 'string' && NAME.test(name)),
  );
  // The value is not repeated: it may be the secret itself.
  if (wrongName) return 'has a urlEnv or secretEnv that is not the name of an environment variable';
  const signed = typeof secretEnv === 'string' ? { secretEnv } : {};
  if (typeof urlEnv === 'string') return { on, urlEnv, ...signed };
  const address = readAddress(typeof url === 'string' ? url : '');
  return typeof address === 'string' ? `has a url that ${address}` : { on, ...address, ...signed };
}

function readEvents(value: unknown): NoticeEventName[] | string {
  if (value === 'none') return [];
  const names = typeof value === 'string' ? [value] : value;
  const allowed = `${NOTICE_EVENTS.join(', ')}, or none`;
  if (!isTexts(names)) return `needs on: ${allowed}`;
  const events: NoticeEventName[] = [];
  for (const name of names) {
    const event = NOTICE_EVENTS.find((known) => known === name);
    if (event === undefined) {
      const near = nearest(name, NOTICE_EVENTS);
      return `has on "${name.slice(0, 40)}", ${near === undefined ? `which is not one of ${allowed}` : `did you mean ${near}`}`;
    }
    if (!events.includes(event)) events.push(event);
  }
  return events;
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
  );
}
