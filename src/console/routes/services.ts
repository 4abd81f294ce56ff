import { z } from 'zod';
import { createAgent, listAgents } from '../../app/services/agents.ts';
import {
  addService,
  changeKey,
  profileChoices as chooseProfiles,
} from '../../app/services/add-service.ts';
import { checkService } from '../../app/services/check-service.ts';
import { knownService, listServices } from '../../app/services/known-services.ts';
import {
  agentDetail,
  agents,
  newService,
  profileChoices,
  serviceKey,
  services,
  voice,
} from '../../views/services.ts';
import { done } from '../../views/fields.ts';
import { job } from '../../views/jobs.ts';
import { routesOf, type Api } from './api.ts';
import type { Desk } from '../desk.ts';

const serviceParams = z.object({ service: z.string().min(1).max(200) });

const newAgent = z.object({
  name: z.string().min(1).max(200),
  systemPrompt: z.string().max(200_000).describe('What the agent is to say and do'),
  voice: voice.optional(),
});

const route = routesOf('Services');
const agentRoute = routesOf('Agents');

/** Services that make the calls, and their agents. */
export function serviceRoutes(api: Api, desk: Desk): void {
  const { files } = desk;
  const told = (text: string) => ({ messages: [{ text, kind: 'told' as const }] });

  route.get(api, '/api/v1/services', {
    operationId: 'listServices',
    summary: 'Services that can be chosen by name, and how their slots are shared now',
    answers: { 200: services },
    handler: ({ world }) => listServices(files, world),
  });

  route.get(api, '/api/v1/profiles', {
    operationId: 'listProfiles',
    summary: 'Profiles that a new service can have, and what each needs',
    answers: { 200: profileChoices },
    role: 'admin',
    handler: () => chooseProfiles(desk.world),
  });

  route.post(api, '/api/v1/services', {
    operationId: 'addService',
    summary: 'Add a service with its key; nothing is written if it refuses the key',
    body: newService,
    answers: { 201: done },
    role: 'admin',
    does: 'service.added',
    handler: async (request) => {
      const text = await addService(request.body, files, request.world);
      request.about = request.body.name;
      return told(text);
    },
  });

  route.put(api, '/api/v1/services/:service/key', {
    operationId: 'changeServiceKey',
    summary: 'Give a service another key; its address stays',
    params: serviceParams,
    body: z.object({ key: serviceKey }),
    answers: { 200: done },
    role: 'admin',
    does: 'service.key',
    handler: async ({ params: { service }, body, world }) =>
      told(await changeKey(service, body.key, files, world)),
  });

  route.post(api, '/api/v1/services/:service/check', {
    operationId: 'checkService',
    summary: 'Ask it whether it answers and takes the key; nobody is called',
    params: serviceParams,
    answers: { 202: job },
    does: 'service.checked',
    handler: async ({ params: { service }, identity, world }) => {
      const request = knownService(service, files, world);
      const order = { kind: 'check', about: service, who: identity.who } as const;
      return desk.jobs.start(order, (world) => checkService(request, world));
    },
  });

  agentRoute.get(api, '/api/v1/services/:service/agents', {
    operationId: 'listAgents',
    summary: 'The agents of a service, as it tells them now',
    params: serviceParams,
    answers: { 200: agents },
    handler: async ({ params, world }) => {
      const request = knownService(params.service, files, world);
      return (await listAgents(request, world)).view;
    },
  });

  agentRoute.post(api, '/api/v1/services/:service/agents', {
    operationId: 'createAgent',
    summary: 'Create an agent at a service',
    params: serviceParams,
    body: newAgent,
    answers: { 201: agentDetail },
    does: 'agent.created',
    handler: ({ params, body, world }) => {
      const request = knownService(params.service, files, world);
      const { voice, ...texts } = body;
      return createAgent({ ...request, ...texts, voice }, world);
    },
  });
}
