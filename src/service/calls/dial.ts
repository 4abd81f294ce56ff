import { isPersonField, type PersonField } from '../../domain/lists/person.ts';
import { normalizeWord } from '../../text/fold-words.ts';
import { lineToWrite } from '../../text/nearest.ts';
import {
  encodeBody,
  MissingValue,
  parseJson,
  retryAfterMs,
  type BodyValues,
} from '../http/body.ts';
import { excerptOf, isRedirect, isSuccess } from '../http/exchange.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import { fillPath, idInLocation, pathShown } from '../http/address.ts';
import { Send } from '../http/send-permit.ts';
import type { Dial, DialAnswer, DialRequest } from '../port.ts';
import type { DialMeaning } from '../profile/profile-dial.ts';
import type { Profile } from '../profile/profile.ts';
import {
  callScopes,
  firstOf,
  idOf,
  pathText,
  type OnFound,
  type Path,
  type Scopes,
} from '../profile/read-fields.ts';
import { unreadField } from './transcript.ts';

interface DialContext {
  client: Pick<HttpClient, 'dial' | 'origin'>;
  rules: Profile['dial'];
  /** Path below the origin. */
  path: string;
  /** The number that calls come from, in the service's own format; null: the service decides. */
  from: string | null;
  now: () => number;
}

/** Makes the functions that send one dial, once, and show what would be sent: see `VoiceService`. */
export function createDialler(context: DialContext) {
  const { rules, path, client } = context;
  const inHeader = rules.location === undefined ? [] : ['the header Location'];
  const lookedFor = [...rules.callId.map(pathText), ...inHeader].join(', ');
  const columns = [...rules.body.uses].flatMap((name) => /^lead\.(.*)/s.exec(name)?.[1] ?? []);
  const { method } = rules;
  const pathTo = ({ agent, phone }: Dial) => fillPath(path, { agent, phone });
  /** A text: why there is no body. */
  const bodyOf = (dial: Dial) => {
    try {
      return encodeBody(rules.body.render(valuesOf(dial, context.from, columns)), rules.as);
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      return error.message + (isPersonField(error.value) ? noColumnFor(error.value) : '');
    }
  };
  return {
    startCall: async (dial: Dial, permit: () => boolean): Promise<DialAnswer> => {
      const to = pathTo(dial);
      const at = client.origin + pathShown(to, dial.phone);
      const request = `${method} ${at} (with ${rules.body.fields.join(', ')})`;
      const words = { request, lookedFor };
      const body = bodyOf(dial);
      if (typeof body === 'string') {
        const detail = `${request} was not sent: ${body}`;
        return { kind: 'rejected', pause: true, status: null, detail };
      }
      const headers =
        rules.idempotencyKey === undefined ? [] : [rules.idempotencyKey, dial.attemptKey];
      const sent = { method, path: to, body, headers };
      return dialAnswer(await sendOnce(context, sent, new Send(permit)), rules.answers, words);
    },
    requestOf: (dial: Dial): DialRequest => {
      const to = { method, url: client.origin + pathTo(dial) };
      const body = bodyOf(dial);
      return typeof body === 'string'
        ? { ...to, body: null, problem: body }
        : { ...to, body: body.text, problem: null };
    },
  };
}

function noColumnFor(field: PersonField): string {
  const told = field === 'fullName' ? 'name' : field;
  const choice = `say which one holds it when the list is imported (--map ${told}="NAME")`;
  return `: the list has no column that is known as such; ${choice}, or write a default, {{${field}|...}}`;
}

/** The values that the profile's body template may use. */
function valuesOf(dial: Dial, from: string | null, columns: readonly string[]): BodyValues {
  const { phone, agent, attemptKey: attempt, person, variables } = dial;
  const values: Record<string, unknown> = { phone, agent, attempt, from, ...person };
  if (variables === undefined || variables === null) return values;
  values['variables'] = variables;
  values['variables.json'] = JSON.stringify(variables);
  values['variables.pairs'] = Object.entries(variables).map(([key, value]) => ({ key, value }));
  for (const column of columns) {
    if (Object.hasOwn(variables, column)) values[`lead.${column}`] = variables[column];
  }
  return values;
}

async function sendOnce(
  { client, rules, now }: DialContext,
  request: Parameters<HttpClient['dial']>[0],
  send: Send,
): Promise<Sent> {
  let response;
  try {
    response = await client.dial(request, send);
  } catch (error) {
    const why = causeOf(error);
    if (send.state === 'started') return { kind: 'unanswered', why };
    const cause = send.state === 'not_permitted' ? 'permit' : 'connection';
    return { kind: 'neverSent', cause, why };
  }
  const { status, retryAfter, text, brokeOff } = response;
  const cutShort = brokeOff === null ? null : `its body broke off: ${causeOf(brokeOff)}`;
  const body = readDialBody(cutShort === null ? text : '', isSuccess(status), rules);
  // A redirect names where the dial should have been sent, not a call.
  if (body.unusable === null && !isRedirect(status)) {
    body.callId ??= idInLocation(response.location, rules.location);
  }
  return {
    kind: 'answered',
    status,
    cutShort,
    ...body,
    retryAfterMs: body.callId === null ? retryAfterMs(retryAfter, now()) : null,
    // Most dials are placed, and those need no excerpt.
    excerpt: body.callId === null ? excerptOf(response) : '',
  };
}

/**
 * What the body of a dial's answer says: the call id, or the meaning of an error word that the profile lists.
 * @param is2xx whether the answer's status is 2xx: in others a call id counts only where `callIdInRefusal` has it
 */
export function readDialBody(
  text: string,
  is2xx: boolean,
  { within, callId: ids, callIdInRefusal, errors }: Profile['dial'],
  onFound?: OnFound,
): Pick<Extract<Sent, { kind: 'answered' }>, 'callId' | 'unusable' | 'said' | 'hint'> {
  const nothing = { callId: null, unusable: null, said: null };
  const answer = parseJson(text);
  // A failed dial's answer seldom has the nested objects of a success: look at the top level too.
  const all = callScopes(answer, [...within, []], onFound);
  const { id: callId, unusable } = is2xx
    ? idOf(callScopes(answer, within, onFound), ids)
    : idOf(all, callIdInRefusal);
  // A call id proves that there is a call, whatever error word the same body contains.
  if (callId !== null || unusable !== null) return { ...nothing, callId, unusable };
  const said = errors && firstOf(all, errors.at, (code) => meaningOf(code, errors));
  const hint = is2xx ? idHint(all, ids) : errorHint(all, errors);
  return { ...nothing, said: said ?? null, hint };
}

/** The profile line that would find a call id. */
function idHint(scopes: Scopes, ids: readonly Path[]): string {
  const [found] = unreadField(scopes, 'id', ids);
  return found === undefined ? '' : `Write into the profile: ${lineToWrite(found)}.`;
}

/** The profile lines that would read this answer as a refusal of one number. */
function errorHint(scopes: Scopes, errors: Profile['dial']['errors']): string {
  const [found] = unreadField(scopes, 'error', []);
  if (found === undefined) return '';
  const word = lineToWrite({ of: 'error', word: found.as ?? '' });
  const isRead = errors?.at.some((path) => pathText(path) === found.word) === true;
  const at = isRead ? '' : `Write into the profile: ${lineToWrite(found)}. `;
  return `If only this number is refused so: ${at}Write into the profile: ${word}.`;
}

/** @param code a text, a number, or a list of them */
function meaningOf(code: unknown, { words }: NonNullable<Profile['dial']['errors']>) {
  const meanings = [code].flat().map((one) => {
    const isWord = typeof one === 'string' || typeof one === 'number';
    return isWord ? words.get(normalizeWord(String(one))) : undefined;
  });
  return MOST_CAREFUL_FIRST.find((meaning) => meanings.includes(meaning));
}

/** If error words of one answer disagree, the first in this order wins: nobody is called twice and no lead is lost. */
const MOST_CAREFUL_FIRST = ['unknown', 'pause', 'refused', 'rejected', 'invalid_number'] as const;

/** How the request of a dial ended. */
export type Sent =
  /** `Send` proves that no byte was sent. */
  | { kind: 'neverSent'; cause: 'permit' | 'connection'; why: string }
  /** The request was sent, and no HTTP status came back. */
  | { kind: 'unanswered'; why: string }
  /** An HTTP status came back; `cutShort`: why its body is incomplete, or null. */
  | {
      kind: 'answered';
      status: number;
      /** Null: none was found where the profile says that an answer with this status names its call. */
      callId: string | null;
      cutShort: string | null;
      /** Why the call id in the body cannot be used; null: there is no call id, or it can be used. */
      unusable: string | null;
      /** The profile's meaning of the service's error word; null: none was found. */
      said: DialMeaning | null;
      retryAfterMs: number | null;
      /** The first 200 characters of the body, masked. */
      excerpt: string;
      /** The lines of a profile that would read more of the body. */
      hint?: string;
    };

/**
 * Decides which of the five answers a dial got. A wrong "not placed" calls a person twice; a wrong "unknown" is only a
 * line in a report. So everything that is not proved is `unknown`.
 * @param table the profile's answer per HTTP status; a status that it does not list is `unknown`, except 402: `pause`
 * @param words for messages: `request` has the method, the address and the names of the fields sent; `lookedFor` has
 *   the names of the fields that may hold the call id
 */
export function dialAnswer(
  sent: Sent,
  table: ReadonlyMap<number, DialMeaning>,
  words: { request: string; lookedFor: string },
): DialAnswer {
  if (sent.kind === 'neverSent') {
    const detail = `${words.request} was not sent: ${sent.why}`;
    return { kind: 'neverSent', cause: sent.cause, status: null, detail };
  }
  if (sent.kind === 'unanswered') {
    const detail = `${words.request} was sent and not answered: ${sent.why}`;
    return { kind: 'unknown', status: null, detail };
  }
  const { status, callId, cutShort, unusable, retryAfterMs, said, hint = '' } = sent;
  const answered = `${words.request} was answered with HTTP ${status}`;
  const received = `; received: ${sent.excerpt}`;
  // In an incomplete body, a call id may be cut off, and an error word that outweighs the status may be missing.
  if (cutShort !== null) {
    return { kind: 'unknown', status, detail: `${answered}, and ${cutShort}${received}` };
  }
  // A call that a refusal names was made, or may still be made: another dial could be a second call.
  if (callId !== null) return { kind: 'placed', callId, status, detail: `HTTP ${status}` };
  if (unusable !== null || (isSuccess(status) && (said === null || said === 'unknown'))) {
    const why = unusable ?? `no call id was found; looked for ${words.lookedFor}`;
    return { kind: 'unknown', status, detail: `${answered}, and ${why}${received}`, hint };
  }
  const detail = answered + received;
  const meaning = said ?? table.get(status) ?? UNLISTED.get(status) ?? 'unknown';
  if (meaning === 'refused') return { kind: meaning, retryAfterMs, status, detail };
  if (meaning === 'unknown') return { kind: meaning, status, detail };
  if (meaning === 'invalid_number') {
    return { kind: 'rejected', named: true, invalidNumber: true, status, detail };
  }
  // In a 2xx answer an error word says that no call was made, but not whose fault that is.
  const isNamed = said !== null && !isSuccess(status);
  const evidence = { ...(isNamed ? { named: true as const } : {}), status, detail, hint };
  if (meaning === 'pause') return { kind: 'rejected', pause: true, ...evidence };
  return { kind: meaning, ...evidence };
}

/**
 * For statuses that the profile does not list: after 402, "Payment Required" (RFC 9110, 15.5.3), no dial would succeed.
 */
const UNLISTED: ReadonlyMap<number, DialMeaning> = new Map([[402, 'pause']]);
