import { requireSearchable } from '../../app/access/require-transcripts.ts';
import type { Identity } from '../../app/access/identity.ts';
import { cancelLead } from '../../app/campaigns/cancel.ts';
import { suppressPerson } from '../../app/suppression/suppress-person.ts';
import { onePerson, type PlaceRequest } from '../../app/watch/one-person.ts';
import { campaignFilters, peopleTable } from '../../app/watch/people.ts';
import { filtersBody, peopleBody } from '../answers/people.ts';
import { personBody } from '../answers/person.ts';
import { shownTo } from '../answers/shown.ts';
import { campaignParams } from '../contract/common.ts';
import {
  cancelPerson,
  changedPerson,
  filters,
  people,
  peopleQuery,
  personParams,
  personStory,
  suppressPerson as suppressBody,
} from '../contract/people.ts';
import { worldOf, type Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

const tags = ['People'];

/** The people of a campaign, each by the line of the list that they come from. */
export function peopleRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;
  const placeOf = ({ campaign, person }: { campaign: string; person: string }): PlaceRequest => {
    const [list = 0, line = 0] = person.split('-').map(Number);
    return { campaign, db, list, line };
  };
  const nowOf = async (place: PlaceRequest, identity: Identity) =>
    personBody(await onePerson(place, worldOf(desk, identity).world), shownTo(identity));

  api.get(
    '/api/v1/campaigns/:campaign/people',
    {
      schema: {
        tags,
        operationId: 'listPeople',
        summary: 'A page of people in list order, with the cells of their lists',
        params: campaignParams,
        querystring: peopleQuery,
        response: answers({ 200: people }),
      },
    },
    async ({ params, query, identity }) => {
      if (query.text !== undefined) requireSearchable(identity, query.text);
      const { world } = worldOf(desk, identity);
      const page = await peopleTable({ ...params, db, ...query }, world);
      return peopleBody(page, shownTo(identity));
    },
  );

  api.get(
    '/api/v1/campaigns/:campaign/filters',
    {
      schema: {
        tags,
        operationId: 'listFilters',
        summary: 'What people can be chosen by, and how many each choice has',
        params: campaignParams,
        response: answers({ 200: filters }),
      },
    },
    async ({ params, identity }) =>
      filtersBody(
        await campaignFilters({ ...params, db }, worldOf(desk, identity).world),
        shownTo(identity),
      ),
  );

  api.get(
    '/api/v1/campaigns/:campaign/people/:person',
    {
      schema: {
        tags,
        operationId: 'getPerson',
        summary: 'One person: why they are not called now, what has happened, every call',
        params: personParams,
        response: answers({ 200: personStory }),
      },
    },
    ({ params, identity }) => nowOf(placeOf(params), identity),
  );

  api.post(
    '/api/v1/campaigns/:campaign/people/:person/cancel',
    {
      schema: {
        tags,
        operationId: 'cancelPerson',
        summary: 'Withdraw one person, so that this campaign does not call them, or take that back',
        params: personParams,
        body: cancelPerson,
        response: answers({ 200: changedPerson }),
      },
      config: { does: 'person.withdrawn' },
    },
    async ({ params, body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const place = placeOf(params);
      const { lead } = await onePerson(place, world);
      const { campaign } = params;
      await cancelLead({ campaign, db, lead: lead.found.phone, undo: body.undo }, world);
      return { messages, person: await nowOf(place, identity) };
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/people/:person/suppress',
    {
      schema: {
        tags,
        operationId: 'suppressPerson',
        summary: 'Let no campaign call any number of this person',
        params: personParams,
        body: suppressBody,
        response: answers({ 200: changedPerson }),
      },
      config: { does: 'person.suppressed' },
    },
    async ({ params, body, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const place = placeOf(params);
      await suppressPerson({ ...place, ...body }, world);
      return { messages, person: await nowOf(place, identity) };
    },
  );
}
