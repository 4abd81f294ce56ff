import { AppError, usageError } from '../../runtime/errors.ts';
import type { Address } from '../http/address.ts';
import { encodeBody, parseJson, retryAfterMs } from '../http/body.ts';
import { isSilence, isSuccess, type HttpAnswer } from '../http/exchange.ts';
import type { HttpClient } from '../http/http-client.ts';
import { refusal, unexpected, unreachable } from '../http/http-errors.ts';
import {
  firstPage,
  followPages,
  itemsIn,
  pageRequest,
  retryRead,
  TransientFailure,
  type PageRequest,
  type ReadPage,
  type RetryContext,
  type RetryPolicy,
} from '../http/paging.ts';
import type { Agent, AgentList, NewAgent, VoiceService } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asNumber,
  asText,
  firstOf,
  inside,
  pathText,
  pathTexts,
  readPath,
  scopesOf,
  type OnFound,
} from '../profile/read-fields.ts';

interface AgentsContext extends RetryContext {
  client: HttpClient;
  /** The variable or file that holds the key, for messages. */
  keyAt?: string | undefined;
  rules: Profile['agents'];
  address: Address;
}

/** No account has this many pages: if a service offers more, its pages link in a circle. */
const MOST_PAGES = 1_000;

/**
 * The pauses are 0.3 to 0.6 s, then twice and four times that, or what Retry-After asks for, up to `LONGEST_PAUSE_MS`;
 * beyond that the error is reported at once, because a person may be waiting.
 */
const RETRY: RetryPolicy<AppError> = {
  retries: 3,
  firstPauseMs: 300,
  isWorthRetrying: ({ outcome, waitMs }, retries) => {
    // If the service hangs, retry only once: three retries would take two minutes.
    if (isSilence(outcome.cause) && retries >= 1) return false;
    return (waitMs ?? 0) <= LONGEST_PAUSE_MS;
  },
};
const LONGEST_PAUSE_MS = 30_000;

/** Reads all pages: see `VoiceService.listAgents`. */
export async function listAgents(context: AgentsContext): Promise<AgentList> {
  const { list } = context.rules;
  const agents = new Map<string, Agent>();
  const readAs: string[] = [];
  const seen = new Set<string>();
  let hasAllIds = true;
  const isWhole = await followPages(
    { rules: list, base: baseOf(context), clock: context.clock, mostPages: MOST_PAGES },
    async (request, url) => {
      const page = await retryRead(context, RETRY, () => readOnce(context, request, url));
      if (page instanceof TransientFailure) throw page.outcome;
      return page;
    },
    ({ answer, items }) => {
      const before = seen.size;
      if (readAs.length === 0) readAs.push(...whatMatched(answer, items[0], list));
      for (const item of items) {
        const id = firstOf([item], list.id, asId) ?? null;
        seen.add(id ?? JSON.stringify(item));
        if (!isAgent(item, list)) continue;
        if (id === null) hasAllIds = false;
        else {
          const name = firstOf([item], list.name, asText) ?? null;
          const systemPrompt = firstOf([item], list.systemPrompt, asText) ?? null;
          agents.set(id, { id, name, systemPrompt, raw: item });
        }
      }
      return seen.size > before;
    },
  );
  return { agents: [...agents.values()], complete: isWhole && hasAllIds, readAs };
}

/** For messages to the profile's author: `items data`, `id agent_id`. */
function whatMatched(answer: unknown, item: unknown, list: Profile['agents']['list']): string[] {
  const found = itemsIn(answer, list.items);
  const matched = found === undefined ? [] : [`items ${pathText(found.path)}`];
  const tell = (field: string) =>
    scopesOf({}, [], (at) => matched.push(`${field} ${pathText(at)}`));
  firstOf(inside(item, tell('id')), list.id, asId);
  firstOf(inside(item, tell('name')), list.name, asText);
  return matched;
}

/** Creates an agent, without retries: see `VoiceService.createAgent`. */
export async function createAgent(context: AgentsContext, agent: NewAgent): Promise<Agent> {
  const { client, address } = context;
  const { create } = context.rules;
  if (create === undefined) {
    throw usageError(
      'SERVICE_REFUSED',
      'The profile of this service does not say how an agent is created (agents.create).',
      "Create it in the service's own console.",
    );
  }
  const { method, path, as, within, id } = create;
  const request = { method, url: client.origin + address.pathOf(path) };
  const body = encodeBody(create.body.render({ ...agent }), as);
  let answer: HttpAnswer;
  try {
    answer = await client.write(method, address.pathOf(path), body);
  } catch (error) {
    throw unreachable(request, error);
  }
  if (!isSuccess(answer.status)) throw refusal(request, answer, context);
  const answered = parseJson(answer.text);
  const agentId = firstOf(scopesOf(answered, within), id, asId) ?? null;
  if (agentId === null) {
    const lookedFor = `no agent id was found; looked for ${pathTexts(id)}`;
    throw unexpected(request, answer, lookedFor);
  }
  return { id: agentId, name: agent.name, systemPrompt: agent.systemPrompt, raw: answered };
}

/** One harmless GET: see `VoiceService.probe`. */
export async function probe(context: AgentsContext): ReturnType<VoiceService['probe']> {
  try {
    // Without retries: the caller probes again later.
    const base = baseOf(context);
    const url = firstPage(context.rules.list, base);
    await readOnce(context, pageRequest(context.rules.list, url, base), url);
    return { ok: true };
  } catch (thrown) {
    const error: unknown = thrown instanceof TransientFailure ? thrown.outcome : thrown;
    if (!(error instanceof AppError)) throw error;
    return { ok: false, keyRefused: error.code === 'SERVICE_KEY_REFUSED', why: error.message };
  }
}

/** A list may also contain items that are not agents; the profile's condition `only` is true for agents alone. */
export function isAgent(item: unknown, { only }: Profile['agents']['list']): boolean {
  return only === undefined || readPath(item, only) === true;
}

function baseOf({ address, rules }: AgentsContext): URL {
  return new URL(address.pathOf(rules.list.path), address.origin);
}

/** @throws TransientFailure if a retry may help, with the AppError to raise after the last one; otherwise AppError */
async function readOnce(
  context: AgentsContext,
  { method, path, body }: PageRequest,
  url: URL,
): Promise<ReadPage> {
  const { client, rules, clock } = context;
  const request = { method, url: url.href };
  let answer: HttpAnswer;
  try {
    answer = await client.read(method, path, body);
  } catch (error) {
    throw new TransientFailure(unreachable(request, error));
  }
  const { status, text, retryAfter, link: linkHeader } = answer;
  if (status === 429 || status >= 500) {
    const waitMs = retryAfterMs(retryAfter, clock.now());
    throw new TransientFailure(refusal(request, answer, { ...context, waitMs }), waitMs);
  }
  if (!isSuccess(status)) throw refusal(request, answer, context);
  const value = parseJson(text);
  const found = itemsIn(value, rules.list.items);
  if (found !== undefined) return { answer: value, items: found.items, linkHeader, text };
  const lookedFor = `no list of agents was found; looked for ${pathTexts(rules.list.items)}`;
  throw unexpected(request, answer, lookedFor);
}

type Rules = NonNullable<Profile['slots']>;

/**
 * Makes the function that asks how many calls may be started now: see `VoiceService.freeSlots`.
 * @param path below the origin
 */
export function createSlotReader(client: Pick<HttpClient, 'read'>, rules: Rules, path: string) {
  const isPost = rules.method === 'POST';
  return async () => {
    const body = isPost ? encodeBody(rules.body?.render({}) ?? {}, rules.as) : null;
    try {
      const { status, text } = await client.read(rules.method, path, body);
      return isSuccess(status) ? freeSlotsIn(parseJson(text), rules) : null;
    } catch {
      // The dispatcher works without this number: the service refuses a dial too many, and that is handled.
      return null;
    }
  };
}

/** @returns an integer of 0 or more; null if the answer has no such number */
export function freeSlotsIn(answer: unknown, rules: Rules, onFound?: OnFound): number | null {
  const free = firstOf(scopesOf(answer, rules.within, onFound), rules.free, asNumber) ?? null;
  return free === null ? null : Math.max(0, Math.floor(free));
}
