import type { FastifyInstance } from 'fastify';
import type { Account, AgentRecord } from '../account.ts';
import { objectBody, optionalObject, requiredText, wrongField, wrongType } from '../wire/body.ts';
import { readFaultOf, sendFaultyRead } from '../wire/fault-answers.ts';
import type { Simulation } from '../simulation.ts';
import { WireError } from '../wire/wire-error.ts';

const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

/** `GET /v1/agents?limit=&cursor=`, the oldest first, and `POST /v1/agents`. */
export function agentRoutes(app: FastifyInstance, simulation: Simulation): void {
  app.get<{ Querystring: { limit?: unknown; cursor?: unknown } }>(
    '/v1/agents',
    (request, reply) => {
      const { account, query } = request;
      account.listings += 1;
      const fault = readFaultOf(simulation, `agents/${account.listings}`);
      const page = pageOf(account, readLimit(query.limit), readCursor(account, query.cursor));
      return fault === undefined ? reply.send(page) : sendFaultyRead(reply, fault, page);
    },
  );

  app.post('/v1/agents', (request, reply) => {
    const body = objectBody(request.body);
    const agent = simulation.createAgent(request.account, {
      name: requiredText(body, 'name'),
      systemPrompt: requiredText(body, 'systemPrompt'),
      voice: optionalObject(body, 'voice'),
    });
    return reply.code(201).send(agentOnWire(agent));
  });
}

function pageOf(account: Account, limit: number, start: number) {
  const agents = account.agents.slice(start, start + limit);
  const last = agents.at(-1);
  const hasMore = last !== undefined && start + limit < account.agents.length;
  return {
    data: agents.map(agentOnWire),
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

/** The place of the first agent after the cursor, which holds the id of the last one given. */
function readCursor(account: Account, cursor: unknown): number {
  if (cursor === undefined) return 0;
  const id = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const index = account.agentIndex(id);
  if (index !== undefined) return index + 1;
  const message = 'cursor has to be the next_cursor of an earlier page.';
  throw new WireError({ status: 400, code: 'invalid_cursor', message, field: 'cursor' });
}
