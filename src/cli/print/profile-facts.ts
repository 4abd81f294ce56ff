import { formatDuration } from '../../text/durations.ts';
import { isPersonField } from '../../domain/lists/person.ts';
import type { Profile } from '../../service/profile/profile.ts';
import { pathText } from '../../service/profile/read-fields.ts';
import { coversBody } from '../../service/webhooks/signed-parts.ts';

type Webhooks = NonNullable<Profile['webhooks']>;

const NONE = 'none';

/** What a profile says: a name and a text for each of its sections. */
export function factsOf(profile: Profile): [what: string, says: string][] {
  const { url, auth, agents, dial, analytics, calls, slots, limits, webhooks } = profile;
  const { list, create } = agents;
  const only = list.only === undefined ? '' : `, only ${pathText(list.only)}`;
  return [
    ['url', url ?? 'of services.yaml or --service-url'],
    ['key', auth.basic ? 'user:password as HTTP Basic' : `${auth.header}: ${auth.prefix}KEY`],
    ['agents', requestOf(list) + only],
    ['new agents', create === undefined ? NONE : requestOf(create)],
    ['dial', `${requestOf(dial)} with ${dial.body.fields.join(', ')} as ${dial.as}`],
    ['needs', [...dial.body.needs].map((name) => `{{${name}}}`).join(' ')],
    ['of the person', dial.body.slots.filter(isOfPerson).join(' ') || NONE],
    ['variables', dial.variables === 'none' ? 'no field for them' : dial.variables.named],
    ['same key', sameKey(dial)],
    ['refusals', refusals(dial)],
    ['analytics', requestOf(analytics)],
    ['calls', calls === undefined ? NONE : requestOf(calls)],
    [
      'free slots',
      slots === undefined ? NONE : `${requestOf(slots)}: ${slots.free.map(pathText).join(', ')}`,
    ],
    ['webhooks', webhooks === undefined ? NONE : eventsOf(webhooks)],
    ['signature', webhooks === undefined ? NONE : signatureOf(webhooks)],
    ['sent from', webhooks === undefined ? NONE : webhooks.ips.join(', ') || 'any address'],
    ['limits', limitsOf(limits)],
  ];
}

function requestOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** True for a slot that depends on the lead's row: `{{firstName|there}}`, `{{lead.City}}`, `{{variables?}}`. */
function isOfPerson(slot: string): boolean {
  const name = /^\{\{\s*(\w+)/.exec(slot)?.[1] ?? '';
  return isPersonField(name) || name === 'lead' || name === 'variables';
}

function sameKey({ idempotencyKey, idempotentFor, body }: Profile['dial']): string {
  const places = [idempotencyKey ?? [], body.uses.has('attempt') ? '{{attempt}}' : []].flat();
  if (places.length === 0) return NONE;
  const promise =
    idempotentFor === undefined
      ? 'nothing is promised for it'
      : `one key is one call for ${formatDuration(idempotentFor)}`;
  return `${places.join(' and ')}; ${promise}`;
}

function refusals({ answers, errors }: Profile['dial']): string {
  const statuses = Array.from(answers, ([status, meaning]) => `${status} ${meaning}`).join(', ');
  const words = errors === undefined ? '' : `; words at ${errors.at.map(pathText).join(', ')}`;
  return (statuses || 'no status') + words;
}

/** Event types grouped by their meaning, e.g. `ended: call_ended; ignored: all others`. */
function eventsOf({ events }: Webhooks): string {
  const types = new Map<string, string[]>();
  for (const [type, meaning] of events.entries) {
    types.set(meaning, [...(types.get(meaning) ?? []), type === '*' ? 'all others' : type]);
  }
  const said = Array.from(types, ([meaning, names]) => `${meaning}: ${names.join(', ')}`);
  return said.join('; ') || 'no type means anything';
}

function signatureOf({ signature }: Webhooks): string {
  switch (signature.scheme) {
    case 'none':
      return 'none: what they say about a call counts only once the service confirms it';
    case 'standard':
      return 'Standard Webhooks';
    case 'token':
      return `the secret in ${signature.header}`;
    case 'hmac':
    case 'ed25519': {
      const { signed, header } = signature;
      const how = signature.scheme === 'hmac' ? `HMAC ${signature.algorithm}` : 'Ed25519';
      const limit = coversBody(signed) ? '' : ': only that is proved';
      return `${how} of ${signed} in ${header}${limit}`;
    }
  }
}

function limitsOf(limits: Profile['limits']): string {
  const { requestsPerSecond, calls, longestCall, answerWithin } = limits;
  const said = [
    requestsPerSecond === undefined ? '' : `${requestsPerSecond} requests a second`,
    calls === undefined ? '' : `${calls} calls at once`,
    longestCall === undefined ? '' : `no call longer than ${formatDuration(longestCall)}`,
    answerWithin === undefined ? '' : `answers in full within ${formatDuration(answerWithin)}`,
  ];
  return said.filter((words) => words !== '').join(', ') || NONE;
}
