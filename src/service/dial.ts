import { dialAnswer } from './answers.ts';
import type { DialWords, Sent } from './answers.ts';
import type { Excerpt } from './excerpt.ts';
import { parseJson } from './json.ts';
import type { Dial, DialAnswer } from './port.ts';
import type { Profile } from './profile.ts';
import { asId, firstOf, pathText, scopesOf, writePath } from './read-fields.ts';
import { retryAfterMs } from './retry-after.ts';
import { Send } from './send-permit.ts';
import type { Wire } from './wire.ts';
import { causeOf } from './wire-errors.ts';

interface DialContext {
  wire: Wire;
  rules: Profile['dial'];
  /** Path below the origin. */
  path: string;
  now: () => number;
  excerpt: Excerpt;
}

/** Makes the function that sends one dial, once: see `VoiceService.startCall`. */
export function createDialler(context: DialContext) {
  const { rules, path, wire } = context;
  const { phone, agent } = rules.send;
  const words: DialWords = {
    request: `${rules.method} ${wire.origin}${path} (with ${pathText(phone)}, ${pathText(agent)})`,
    lookedFor: rules.callId.map(pathText).join(', '),
  };
  return async (dial: Dial, permit: () => boolean): Promise<DialAnswer> => {
    const send = new Send(permit);
    const body: Record<string, unknown> = {};
    writePath(body, phone, dial.phone);
    writePath(body, agent, dial.agent);
    const request = {
      method: rules.method,
      path,
      body: JSON.stringify(body),
      headers: [rules.idempotencyKey, dial.attemptKey],
    };
    return dialAnswer(await sendOnce(context, request, send), rules.answers, words);
  };
}

async function sendOnce(
  { wire, rules, now, excerpt }: DialContext,
  request: Parameters<Wire['dial']>[0],
  send: Send,
): Promise<Sent> {
  let response;
  try {
    response = await wire.dial(request, send);
  } catch (error) {
    const why = causeOf(error);
    if (send.state === 'started') return { kind: 'no_answer', why };
    const cause = send.state === 'not_permitted' ? 'permit' : 'connection';
    return { kind: 'not_sent', cause, why };
  }
  const status = response.statusCode;
  let text: string;
  let cutShort: string | null = null;
  try {
    text = await response.body.text();
  } catch (error) {
    text = send.head?.toString('utf8') ?? '';
    cutShort = `its body broke off: ${causeOf(error)}`;
  }
  const isSuccess = status >= 200 && status < 300;
  const callId = isSuccess ? readCallId(text, rules) : null;
  return {
    kind: 'answered',
    status,
    callId,
    cutShort,
    retryAfterMs: isSuccess ? null : retryAfterMs(response.headers['retry-after'], now()),
    // A placed call needs no excerpt, and there are many of them.
    excerpt: callId === null || cutShort !== null ? excerpt(text) : '',
  };
}

function readCallId(text: string, rules: Profile['dial']): string | null {
  return firstOf(scopesOf(parseJson(text), rules.within), rules.callId, asId) ?? null;
}
