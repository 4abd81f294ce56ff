import { AppError } from '../runtime/errors.ts';
import type { Address } from './address.ts';
import type { Excerpt } from './excerpt.ts';
import { parseJson } from './json.ts';
import type { NextPage } from './paging.ts';
import { nextPage } from './paging.ts';
import type { Agent, AgentList, NewAgent } from './port.ts';
import type { Profile } from './profile.ts';
import { asId, asText, firstOf, pathText, readPath, scopesOf, writePath } from './read-fields.ts';
import type { HttpAnswer, Wire } from './wire.ts';
import { refusal, unexpected, unreachable } from './wire-errors.ts';

interface AgentsContext {
  wire: Wire;
  rules: Profile['agents'];
  address: Address;
  excerpt: Excerpt;
}

/** No account has so many pages; a service that offers more is going round in circles. */
const MOST_PAGES = 1_000;

/** Reads all pages: see `VoiceService.listAgents`. */
export async function listAgents(context: AgentsContext): Promise<AgentList> {
  const { list } = context.rules;
  const agents = new Map<string, Agent>();
  const asked = new Set<string>();
  let complete = true;
  let collected = 0;
  let next: NextPage = { at: firstPage(context) };
  while (typeof next === 'object') {
    const url: URL = next.at;
    if (asked.has(url.href) || asked.size === MOST_PAGES)
      return { agents: [...agents.values()], complete: false };
    asked.add(url.href);
    const { answer, items, linkHeader } = await readPage(context, url);
    const before = agents.size;
    for (const item of items) {
      const id = firstOf([item], list.id, asId) ?? null;
      if (id === null) complete = false;
      else agents.set(id, { id, name: firstOf([item], list.name, asText) ?? null });
    }
    collected += items.length;
    next = nextPage({ answer, url, linkHeader, count: items.length, collected }, list);
    // Nothing new on a page that is not empty: the service does not understand how we ask for the next one.
    if (
      next === 'lost' ||
      (typeof next === 'object' && items.length > 0 && agents.size === before)
    ) {
      return { agents: [...agents.values()], complete: false };
    }
  }
  return { agents: [...agents.values()], complete };
}

/** Creates an agent, asked for once: see `VoiceService.createAgent`. */
export async function createAgent(context: AgentsContext, agent: NewAgent): Promise<Agent> {
  const { wire, address, excerpt } = context;
  const { method, path, send, within, id } = context.rules.create;
  const request = { method, url: wire.origin + address.pathOf(path) };
  const body: Record<string, unknown> = {};
  writePath(body, send.name, agent.name);
  writePath(body, send.systemPrompt, agent.systemPrompt);
  if (agent.voice !== undefined) writePath(body, send.voice, agent.voice);
  let answer: HttpAnswer;
  try {
    answer = await wire.write(method, address.pathOf(path), JSON.stringify(body));
  } catch (error) {
    throw unreachable(
      request,
      error,
      'The agent may exist all the same: `callsheet agents list` tells.',
    );
  }
  const { status, text } = answer;
  if (status < 200 || status > 299) throw refusal(request, status, excerpt(text));
  const agentId = firstOf(scopesOf(parseJson(text), within), id, asId) ?? null;
  if (agentId === null) {
    const lookedFor = `no agent id was found; looked for ${id.map(pathText).join(', ')}`;
    throw unexpected(request, status, lookedFor, excerpt(text));
  }
  return { id: agentId, name: agent.name };
}

/** One harmless GET: see `VoiceService.probe`. */
export async function probe(
  context: AgentsContext,
): Promise<{ ok: true } | { ok: false; keyRefused: boolean; why: string }> {
  try {
    await readPage(context, firstPage(context));
    return { ok: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, keyRefused: error.code === 'SERVICE_KEY_REFUSED', why: error.message };
  }
}

function firstPage({ address, rules }: AgentsContext): URL {
  return new URL(address.pathOf(rules.list.path), address.origin);
}

async function readPage({ wire, rules, excerpt }: AgentsContext, url: URL) {
  const { method, items: candidates } = rules.list;
  const request = { method, url: url.href };
  let answer: HttpAnswer;
  try {
    answer = await wire.read(method, url.pathname + url.search);
  } catch (error) {
    throw unreachable(request, error, 'Check the address, the network and that the service runs.');
  }
  const { status, text, headers } = answer;
  if (status < 200 || status > 299) throw refusal(request, status, excerpt(text));
  const value = parseJson(text);
  for (const path of candidates) {
    const items = readPath(value, path);
    if (!Array.isArray(items)) continue;
    const { link } = headers;
    const linkHeader = Array.isArray(link) ? link.join(', ') : link;
    return { answer: value, items: items as unknown[], linkHeader };
  }
  const lookedFor = `no list of agents was found; looked for ${candidates.map(pathText).join(', ')}`;
  throw unexpected(request, status, lookedFor, excerpt(text));
}
