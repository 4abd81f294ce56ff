import { createAgent, listAgents } from '../../app/services/agents.ts';
import { checkService } from '../../app/services/check-service.ts';
import {
  knownService,
  listServices,
  type KnownService,
} from '../../app/services/known-services.ts';
import type { Agent as ServiceAgent } from '../../service/port.ts';
import { answers, shownTo, type Api, type Shown } from './api.ts';
import { job } from '../contract/common.ts';
import {
  agent,
  agents,
  newAgent,
  serviceParams,
  services,
  type Agent,
  type Service,
} from '../contract/services.ts';
import { worldOf, type Desk } from '../desk.ts';

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
    async ({ identity }) => {
      const show = shownTo(identity);
      const found = await listServices(files, worldOf(desk, identity).world);
      return {
        ...found,
        items: found.services.map((service) => serviceBody(service, show)),
        next: null,
      };
    },
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
      const order = { kind: 'check', about: service, who: identity.who };
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
      const found = await listAgents(request, world);
      const { complete } = found;
      return {
        items: found.agents.map((agent) => agentBody(agent, shownTo(identity))),
        next: null,
        ...params,
        complete,
      };
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
        response: answers({ 201: agent }),
      },
      config: { does: 'agent.created' },
    },
    async ({ params, body, identity }, reply) => {
      const { world } = worldOf(desk, identity);
      const request = knownService(params.service, files, world);
      const { voice, ...texts } = body;
      reply.code(201);
      return agentBody(
        await createAgent({ ...request, ...texts, voice }, world),
        shownTo(identity),
      );
    },
  );
}

/** A service without its key. */
function serviceBody({ problem, slots, ...service }: KnownService, show: Shown): Service {
  return {
    ...service,
    slots: slots.map(({ campaign, held, wants, weight, share }) => {
      return { campaign: show.name(campaign), held, wants, weight, share };
    }),
    problem: problem && {
      code: problem.code,
      detail: show.text(problem.message),
      hint: problem.hint === undefined ? null : show.text(problem.hint),
    },
  };
}

/** An agent as far as callsheet knows the meaning of its fields; of the others, the voice. */
function agentBody({ id, name, systemPrompt, raw }: ServiceAgent, { text }: Shown): Agent {
  const voice = (raw as { voice?: unknown } | null)?.voice;
  const isObject = typeof voice === 'object' && voice !== null && !Array.isArray(voice);
  const shown = (given: string | null) => (given === null ? null : text(given));
  return {
    id,
    name: shown(name),
    systemPrompt: shown(systemPrompt),
    voice: isObject ? (voice as Agent['voice']) : null,
  };
}
