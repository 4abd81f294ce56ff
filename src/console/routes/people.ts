import { z } from 'zod';
import { changeMany, MANY, retryPeople } from '../../app/campaigns/chosen-people.ts';
import { draftOfFound } from '../../app/campaigns/draft-of-found.ts';
import { cancelLead } from '../../app/campaigns/cancel.ts';
import { suppressPerson } from '../../app/suppression/suppress.ts';
import type { E164 } from '../../domain/phone.ts';
import { onePerson, type PlaceRequest } from '../../app/watch/find-people.ts';
import { campaignFilters, peopleTable } from '../../app/watch/people.ts';
import { done, personId } from '../../views/fields.ts';
import { job } from '../../views/jobs.ts';
import { filters, people, peopleFilter, peopleQuery, person } from '../../views/people.ts';
import { campaignParams, routesOf, type Api } from './api.ts';
import type { Desk } from '../desk.ts';

const personParams = campaignParams.extend({ person: personId });

const cancelBody = z.object({
  undo: z.boolean().default(false).describe('Takes an earlier withdrawal back'),
});
const suppressBody = z.object({
  note: z.string().max(1_000).optional().describe('Why, for those who look it up'),
  until: z
    .string()
    .max(50)
    .optional()
    .describe('The last day on which it holds, e.g. 2026-07-01; default for good'),
});
/** `person` is how they are now. */
const changedPerson = done.extend({ person });

const route = routesOf('People');

/** The people of a campaign, each by the line of the list that they come from. */
export function peopleRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;
  const placeOf = ({ campaign, person }: { campaign: string; person: string }): PlaceRequest => {
    const [list = 0, line = 0] = person.split('-').map(Number);
    return { campaign, db, list, line };
  };

  route.get(api, '/api/v1/campaigns/:campaign/people', {
    operationId: 'listPeople',
    summary: 'A page of people in list order, with the cells of their lists',
    params: campaignParams,
    querystring: peopleQuery,
    answers: { 200: people },
    handler: ({ params, query, identity }) =>
      peopleTable({ ...params, db, ...query, reader: identity }, desk.world),
  });

  route.post(api, '/api/v1/campaigns/:campaign/people', {
    operationId: 'changeMany',
    summary: 'Do something with all people who match: a job, which asks first and says how many',
    params: campaignParams,
    body: z.object({ does: z.enum(MANY), among: peopleFilter }),
    answers: { 202: job },
    does: 'people.changed',
    handler: ({ params, body, identity }) => {
      const order = { kind: 'many', about: params.campaign, who: identity.who } as const;
      const { does, among } = body;
      const request = { ...params, ...desk.files, does, among: { ...among, reader: identity } };
      return desk.jobs.start(order, (world) => changeMany(request, world));
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/draft', {
    operationId: 'draftOfPeople',
    summary: 'Begin a campaign with all people who match: a draft with the settings of this one',
    params: campaignParams,
    body: z.object({ among: peopleFilter }),
    answers: { 202: job },
    does: 'people.drafted',
    handler: ({ params, body, identity }) => {
      const order = { kind: 'many', about: params.campaign, who: identity.who } as const;
      const request = { ...params, ...desk.files, among: { ...body.among, reader: identity } };
      return desk.jobs.start(order, (world) =>
        draftOfFound(desk.access, desk.uploads, request, world),
      );
    },
  });

  route.get(api, '/api/v1/campaigns/:campaign/filters', {
    operationId: 'listFilters',
    summary: 'What people can be chosen by, and how many each choice has',
    params: campaignParams,
    answers: { 200: filters },
    handler: ({ params }) => campaignFilters({ ...params, db }, desk.world),
  });

  route.get(api, '/api/v1/campaigns/:campaign/people/:person', {
    operationId: 'getPerson',
    summary: 'One person: why they are not called now, what has happened, every call',
    params: personParams,
    answers: { 200: person },
    handler: ({ params }) => onePerson(placeOf(params), desk.world),
  });

  route.post(api, '/api/v1/campaigns/:campaign/people/:person/cancel', {
    operationId: 'cancelPerson',
    summary: 'Withdraw one person, so that this campaign does not call them, or take that back',
    params: personParams,
    body: cancelBody,
    answers: { 200: changedPerson },
    does: 'person.withdrawn',
    handler: async ({ params, body, world, messages }) => {
      const place = placeOf(params);
      const { campaign, phone } = await onePerson(place, world);
      await cancelLead({ campaign, db, lead: phone, undo: body.undo }, world);
      return { messages, person: await onePerson(place, world) };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/people/:person/retry', {
    operationId: 'retryPerson',
    summary: 'Let one person be called again who was not reached',
    params: personParams,
    body: z.object({}),
    answers: { 200: changedPerson },
    does: 'person.retried',
    handler: async ({ params, world, messages }) => {
      const place = placeOf(params);
      const { campaign, phone, result } = await onePerson(place, world);
      const [only, results] = [phone as E164, [result ?? '']];
      await retryPeople({ ...desk.files, campaign, results, only, yes: true }, world);
      return { messages, person: await onePerson(place, world) };
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/people/:person/suppress', {
    operationId: 'suppressPerson',
    summary: 'Let no campaign call any number of this person',
    params: personParams,
    body: suppressBody,
    answers: { 200: changedPerson },
    does: 'person.suppressed',
    handler: async ({ params, body, world, messages }) => {
      const place = placeOf(params);
      await suppressPerson({ ...place, ...body }, world);
      return { messages, person: await onePerson(place, world) };
    },
  });
}
