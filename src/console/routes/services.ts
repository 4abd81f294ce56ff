import { z } from 'zod';
import { createAgent, listAgents } from '../../app/services/agents.ts';
import { checkService } from '../../app/services/check-service.ts';
import { knownService, listServices } from '../../app/services/known-services.ts';
import { agentDetail, agents, services, voice } from '../../views/services.ts';
import { job } from '../../views/jobs.ts';
import { answers, type Api } from './api.ts';
import { worldOf, type Desk } from '../desk.ts';

const serviceParams = z.object({ service: z.string().min(1).max(200) });

const newAgent = z.object({
  name: z.string().min(1).max(200),
  systemPrompt: z.string().max(200_000).describe('What the agent is to say and do'),
  voice: voice.optional(),
});

/** Services that make the calls, and their agents. */
export function serviceRoutes(api: Api, desk: Desk): void {
  const { files } = desk;

  api.get(
    '/api/v1/services',
    {
      schema: {
        tags: ['Services'],
        operationId: 'listServices',
        summary: 'Services that can be chosen by name, and how their slots are shared now',
        response: answers({ 200: services }),
      },
    },
    ({ identity }) => listServices(files, worldOf(desk, identity).world),
  );

  api.post(
    '/api/v1/services/:service/check',
    {
      schema: {
        tags: ['Services'],
        operationId: 'checkService',
        summary: 'Ask it whether it answers and takes the key; nobody is called',
        params: serviceParams,
        response: answers({ 202: job }),
      },
      config: { does: 'service.checked' },
    },
    async ({ params: { service }, identity }, reply) => {
      const request = knownService(service, files, worldOf(desk, identity).world);
      const order = { kind: 'check', about: service, who: identity.who } as const;
      reply.code(202);
      return desk.jobs.start(order, (world) => checkService(request, world));
    },
  );

  api.get(
    '/api/v1/services/:service/agents',
    {
      schema: {
        tags: ['Agents'],
        operationId: 'listAgents',
        summary: 'The agents of a service, as it tells them now',
        params: serviceParams,
        response: answers({ 200: agents }),
      },
    },
    async ({ params, identity }) => {
      const { world } = worldOf(desk, identity);
      const request = knownService(params.service, files, world);
      return (await listAgents(request, world)).view;
    },
  );

  api.post(
    '/api/v1/services/:service/agents',
    {
      schema: {
        tags: ['Agents'],
        operationId: 'createAgent',
        summary: 'Create an agent at a service',
        params: serviceParams,
        body: newAgent,
        response: answers({ 201: agentDetail }),
      },
      config: { does: 'agent.created' },
    },
    ({ params, body, identity }, reply) => {
      const { world } = worldOf(desk, identity);
      const request = knownService(params.service, files, world);
      const { voice, ...texts } = body;
      reply.code(201);
      return createAgent({ ...request, ...texts, voice }, world);
    },
  );
}
