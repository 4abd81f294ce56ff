import type { FastifyInstance } from 'fastify';
import type { Account, AgentRecord } from '../account.ts';
import type { Simulation } from '../simulation.ts';
import {
  isObject,
  objectBody,
  requiredText,
  WireError,
  wrongField,
  wrongType,
} from '../wire/auth.ts';
import { sendRead } from '../wire/fault-answers.ts';
import { drawFault, READ_FAULTS } from '../wire/faults.ts';

const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

/** `GET /v1/agents?limit=&cursor=`, the oldest first, and `POST /v1/agents`. */
export function agentRoutes(app: FastifyInstance, simulation: Simulation): void {
  app.get<{ Querystring: { limit?: unknown; cursor?: unknown } }>(
    '/v1/agents',
    ({ account, query }, reply) => {
      const read = `read/agents/${account.countRead('agents')}`;
      const fault = drawFault(READ_FAULTS, simulation.options, read)?.name;
      const page = pageOf(account, readLimit(query.limit), readCursor(account, query.cursor));
      return sendRead(reply, fault, page);
    },
  );

  app.post('/v1/agents', (request, reply) => {
    const body = objectBody(request.body);
    const name = requiredText(body, 'name');
    const systemPrompt = requiredText(body, 'systemPrompt');
    const voice = body['voice'] ?? null;
    if (voice !== null && !isObject(voice)) throw wrongType('voice', 'an object');
    const agent = simulation.createAgent(request.account, { name, systemPrompt, voice });
    return reply.code(201).send(agentOnWire(agent));
  });
}

function pageOf({ agents }: Account, limit: number, start: number) {
  const page = [...agents.values()].slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && start + limit < agents.size;
  return {
    data: page.map(agentOnWire),
    next_cursor: hasMore ? Buffer.from(last.id).toString('base64url') : null,
    has_more: hasMore,
  };
}

function agentOnWire({ createdAt, ...agent }: AgentRecord) {
  return { ...agent, created_at: new Date(createdAt).toISOString() };
}

function readLimit(limit: unknown): number {
  if (limit === undefined) return DEFAULT_PAGE;
  if (typeof limit !== 'string' || !/^\d+$/.test(limit)) throw wrongType('limit', 'a whole number');
  const size = Number(limit);
  if (size >= 1 && size <= LARGEST_PAGE) return size;
  throw wrongField('limit', `limit has to be 1 to ${LARGEST_PAGE}.`);
}

/** The index of the first agent after the cursor; the cursor is the id of the last agent on the previous page. */
function readCursor({ agents }: Account, cursor: unknown): number {
  if (cursor === undefined) return 0;
  const id = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const next = [...agents.keys()].indexOf(id) + 1;
  if (next > 0) return next;
  const message = 'cursor has to be the next_cursor of an earlier page.';
  throw new WireError(400, 'invalid_cursor', message, { field: 'cursor' });
}
