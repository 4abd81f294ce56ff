import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Address } from '../http/address.ts';
import { encodeBody } from '../http/body.ts';
import { type HttpAnswer, isSilence } from '../http/exchange.ts';
import { parseJson } from '../http/json.ts';
import { PageBudget } from '../http/page-budget.ts';
import type { NextPage } from '../http/paging.ts';
import { firstPage, nextPage, pageRequest } from '../http/paging.ts';
import type { Agent, AgentList, NewAgent } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asText,
  firstOf,
  inside,
  pathText,
  readPath,
  scopesOf,
} from '../profile/read-fields.ts';
import { retryRead } from '../http/retry-read.ts';
import type { RetryContext, RetryPolicy } from '../http/retry-read.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import type { HttpClient } from '../http/http-client.ts';
import { refusal, unexpected, unreachable } from '../http/http-errors.ts';

interface AgentsContext extends RetryContext {
  client: HttpClient;
  /** Where the key stands, for who has to mend it: a variable or a file. */
  keyAt?: string | undefined;
  rules: Profile['agents'];
  address: Address;
}

/** No account has so many pages; a service that offers more is going round in circles. */
const MOST_PAGES = 1_000;

/**
 * A nightly run must not end because one page of agents was lost. Pauses: 0.3 to 0.6 s, twice that, and twice
 * again; longer where the service asks for it, up to `LONGEST_PAUSE_MS`: who waits for more is told so.
 */
const RETRY: RetryPolicy = {
  retries: 3,
  firstPauseMs: 300,
  pauseOf: (error, retries) => {
    if (!(error instanceof TransientFailure)) return undefined;
    // A person waits: a service that hangs is asked once more, not three times, which would take two minutes.
    if (isSilence(error.failure.cause) && retries >= 1) return undefined;
    return (error.waitMs ?? 0) > LONGEST_PAUSE_MS ? undefined : error.waitMs;
  },
};
const LONGEST_PAUSE_MS = 30_000;

/** Reads all pages: see `VoiceService.listAgents`. */
export async function listAgents(context: AgentsContext): Promise<AgentList> {
  const { list } = context.rules;
  const agents = new Map<string, Agent>();
  const readAs: string[] = [];
  const budget = new PageBudget(context.clock, MOST_PAGES);
  const seen = new Set<string>();
  let complete = true;
  let collected = 0;
  let next: NextPage = { at: firstPage(list, baseOf(context)) };
  while (typeof next === 'object') {
    const url: URL = next.at;
    if (!budget.take(url)) return { agents: [...agents.values()], complete: false, readAs };
    const { answer, items, linkHeader, text } = await readPage(context, url);
    budget.spend(text);
    const before = seen.size;
    if (readAs.length === 0) readAs.push(...whatMatched(answer, items[0], list));
    for (const item of items) {
      const id = firstOf([item], list.id, asId) ?? null;
      seen.add(id ?? JSON.stringify(item));
      if (!isAgent(item, list)) continue;
      if (id === null) complete = false;
      else agents.set(id, agentOf(id, item, list));
    }
    collected += items.length;
    const count = items.length;
    next = nextPage({ answer, url, linkHeader, count, collected, lastItem: items.at(-1) }, list);
    // Nothing new on a page that is not empty: the service does not understand how we ask for the next one.
    if (next === 'lost' || (typeof next === 'object' && items.length > 0 && seen.size === before)) {
      return { agents: [...agents.values()], complete: false, readAs };
    }
  }
  return { agents: [...agents.values()], complete, readAs };
}

/** Which candidates a list was read by, for who writes a profile: `items data`, `id agent_id`, `name name`. */
function whatMatched(answer: unknown, item: unknown, list: Profile['agents']['list']): string[] {
  const items = list.items.find((at) => Array.isArray(readPath(answer, at)));
  const matched = items === undefined ? [] : [`items ${pathText(items)}`];
  const tell = (field: string) =>
    scopesOf({}, [], (_all, at) => matched.push(`${field} ${pathText(at)}`));
  firstOf(inside(item, tell('id')), list.id, asId);
  firstOf(inside(item, tell('name')), list.name, asText);
  return matched;
}

/** Creates an agent, asked for once: see `VoiceService.createAgent`. */
export async function createAgent(context: AgentsContext, agent: NewAgent): Promise<Agent> {
  const { client, address } = context;
  const { create } = context.rules;
  if (create === undefined) throw cannotCreate();
  const { method, path, as, within, id } = create;
  const request = { method, url: client.origin + address.pathOf(path) };
  const body = encodeBody(create.body.render({ ...agent }), as);
  let answer: HttpAnswer;
  try {
    answer = await client.write(method, address.pathOf(path), body);
  } catch (error) {
    throw unreachable(
      request,
      error,
      'The agent may exist all the same: `callsheet agents list` tells.',
    );
  }
  const { status, text } = answer;
  if (status < 200 || status > 299) throw refusal(request, answer, context);
  const answered = parseJson(text);
  const agentId = firstOf(scopesOf(answered, within), id, asId) ?? null;
  if (agentId === null) {
    const lookedFor = `no agent id was found; looked for ${id.map(pathText).join(', ')}`;
    throw unexpected(request, answer, lookedFor);
  }
  return { id: agentId, name: agent.name, systemPrompt: agent.systemPrompt, raw: answered };
}

/** One harmless GET: see `VoiceService.probe`. */
export async function probe(
  context: AgentsContext,
): Promise<{ ok: true } | { ok: false; keyRefused: boolean; why: string }> {
  try {
    // Once: who probes comes again by itself.
    await readOnce(context, firstPage(context.rules.list, baseOf(context)));
    return { ok: true };
  } catch (thrown) {
    const error = thrown instanceof TransientFailure ? thrown.failure : thrown;
    if (!(error instanceof AppError)) throw error;
    return { ok: false, keyRefused: error.code === 'SERVICE_KEY_REFUSED', why: error.message };
  }
}

/** Lists may hold what takes no calls; the profile's own condition tells (`only`). */
export function isAgent(item: unknown, { only }: Profile['agents']['list']): boolean {
  return only === undefined || readPath(item, only) === true;
}

function agentOf(id: string, raw: unknown, list: Profile['agents']['list']): Agent {
  const name = firstOf([raw], list.name, asText) ?? null;
  return { id, name, systemPrompt: firstOf([raw], list.systemPrompt, asText) ?? null, raw };
}

function cannotCreate(): AppError {
  return new AppError(
    'SERVICE_REFUSED',
    'The profile of this service does not say how an agent is created (agents.create).',
    { hint: "Create it in the service's own console.", exitCode: EXIT.usage },
  );
}

function baseOf({ address, rules }: AgentsContext): URL {
  return new URL(address.pathOf(rules.list.path), address.origin);
}

/** A failure that may be over in a moment; `waitMs` is what Retry-After asks for, if anything. */
class TransientFailure extends Error {
  readonly failure: AppError;
  readonly waitMs: number | null;

  constructor(failure: AppError, waitMs: number | null) {
    super('a read failed');
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

async function readPage(context: AgentsContext, url: URL): Promise<AgentPage> {
  try {
    return await readOnce(context, url);
  } catch (error) {
    return retried(context, error, () => readOnce(context, url));
  }
}

async function retried<T>(context: AgentsContext, failure: unknown, again: () => Promise<T>) {
  try {
    return await retryRead(context, RETRY, failure, again);
  } catch (error) {
    throw error instanceof TransientFailure ? error.failure : error;
  }
}

async function readOnce(context: AgentsContext, url: URL): Promise<AgentPage> {
  const { client, rules, clock } = context;
  const { method, items: candidates } = rules.list;
  const request = { method, url: url.href };
  let answer: HttpAnswer;
  try {
    const page = pageRequest(rules.list, url, baseOf(context));
    answer = await client.read(page.method, page.path, page.body);
  } catch (error) {
    throw new TransientFailure(unreachable(request, error), null);
  }
  const { status, text, retryAfter, link: linkHeader } = answer;
  if (status === 429 || status >= 500) {
    const waitMs = retryAfterMs(retryAfter, clock.now());
    throw new TransientFailure(refusal(request, answer, { ...context, waitMs }), waitMs);
  }
  if (status < 200 || status > 299) throw refusal(request, answer, context);
  const value = parseJson(text);
  for (const path of candidates) {
    const items = readPath(value, path);
    if (!Array.isArray(items)) continue;
    return { answer: value, items: items as unknown[], linkHeader, text };
  }
  const lookedFor = `no list of agents was found; looked for ${candidates.map(pathText).join(', ')}`;
  throw unexpected(request, answer, lookedFor);
}

interface AgentPage {
  answer: unknown;
  items: unknown[];
  linkHeader: string | undefined;
  text: string;
}
