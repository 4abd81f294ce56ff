import { requireSearchable, type Identity } from '../../app/access/identity.ts';
import { cancelLead } from '../../app/campaigns/cancel.ts';
import { nextText, storyEvents } from '../../app/sentences/story-events.ts';
import { suppressPerson } from '../../app/suppression/suppress.ts';
import type { LeadStory } from '../../app/watch/explain.ts';
import { onePerson, type OnePerson, type PlaceRequest } from '../../app/watch/one-person.ts';
import {
  campaignFilters,
  peopleTable,
  type CampaignFilters,
  type PeopleTable,
} from '../../app/watch/people.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { LeadResult, LeadState } from '../../domain/lead.ts';
import { answers, shownTo, type Api, type Shown } from './api.ts';
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
  type Attempt,
  type Filters,
  type People,
  type PersonStory,
} from '../contract/people.ts';
import { worldOf, type Desk } from '../desk.ts';

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

/** A page of people, as somebody may see it. */
function peopleBody(page: PeopleTable, { phone, text }: Shown): People {
  const { rows, columns, total, next } = page;
  const items = rows.map((row) => {
    const { list, line, state, result, attempts, sentiment, durationSeconds, lastAttemptAt } = row;
    return {
      id: `${list}-${line}`,
      phone: phone(row.phone),
      name: row.name === null ? null : text(row.name),
      cells: row.cells.map(text),
      ...{ list, line, state, result, attempts, sentiment, durationSeconds, lastAttemptAt },
      reason: row.reason === null ? null : text(row.reason),
      zones: [...placeOf(row.zoneKey).zones],
      nextAttemptAt: state === 'waiting' && row.notBefore > 0 ? row.notBefore : null,
    };
  });
  return { items, columns, total, next };
}

function filtersBody(found: CampaignFilters, { name }: Shown): Filters {
  const { total, lists, byState, byResult, zones } = found;
  return {
    total,
    lists: lists.map((list) => ({ ...list, path: name(list.path) })),
    states: Object.entries(byState).map(([state, people]) => ({
      state: state as LeadState,
      people,
    })),
    results: Object.entries(byResult).map(([result, people]) => ({
      result: result as LeadResult,
      people,
    })),
    zones: zones.map(({ zoneKey, people }) => {
      return { key: zoneKey, zones: [...placeOf(zoneKey).zones], people };
    }),
  };
}

type Call = OnePerson['calls'][number];

/** Everything about one person in one campaign, as somebody may see it. */
function personBody(person: OnePerson, shown: Shown): PersonStory {
  const { lead, name, suppressed, waits, isWithdrawn } = person;
  const { found, list, answer } = lead;
  const { phone, text } = shown;
  const orNull = (given: string | null) => (given === null ? null : text(given));
  const numbers = [found.phone, ...found.furtherNumbers];
  return {
    id: `${found.list}-${found.line}`,
    phone: phone(found.phone),
    name: orNull(name),
    furtherNumbers: found.furtherNumbers.map(phone),
    list: found.list,
    listPath: list === undefined ? null : shown.name(list.path),
    line: found.line,
    zones: [...placeOf(found.zoneKey).zones],
    suppressed: suppressed.map((one) => ({ phone: phone(one.phone), why: text(one.why) })),
    state: found.state,
    result: found.result,
    reason: orNull(found.reason),
    why: answer.why.map(text),
    next: orNull(nextOf(lead)),
    nextAt: answer.next?.at ?? null,
    story: storyEvents(lead, person.suppression).map(({ at, text: told }) => {
      return { at, text: text(told) };
    }),
    attempts: person.calls.map((call) => attemptBody(call, shown)),
    capturedLeads: shown.said ? person.calls.flatMap(({ row }) => row.capturedLeads) : [],
    cells: found.cells.map((value, i) => {
      return { column: list?.headers[i] ?? '', value: text(value) };
    }),
    can: {
      cancel: waits,
      undoCancel: isWithdrawn,
      suppress: suppressed.length < numbers.length,
    },
  };
}

function nextOf({ answer: { why, next }, found, campaign }: LeadStory): string | null {
  if (next === undefined) return null;
  const { timezone } = campaign.settings;
  return nextText(next, { isHeld: why.length > 0, zoneKey: found.zoneKey, timezone });
}

function attemptBody({ row, attempt, result }: Call, { phone, text, said }: Shown): Attempt {
  const { analytics } = row;
  const { id, ordinal, state, intentAt, endedAt, callId, service, agent, detail } = attempt;
  const turns = said ? (analytics?.turns ?? []) : [];
  const durationMs = analytics?.durationMs ?? null;
  return {
    ...{ id, ordinal, state, result, intentAt, endedAt, callId, service, agent, turns },
    phone: phone(attempt.phone),
    durationSeconds: durationMs === null ? null : durationMs / 1_000,
    sentiment: analytics?.sentiment ?? null,
    summary: said ? (analytics?.summary ?? null) : null,
    transcript: said && turns.length === 0 ? (analytics?.transcript ?? null) : null,
    recordingUrl: said ? webAddress(analytics?.recordingUrl ?? null) : null,
    cost: analytics?.cost ?? null,
    costCurrency: analytics?.costCurrency ?? null,
    detail: detail === null ? null : text(detail),
  };
}

/** The address if a browser may open it: it comes from the service, and could be one that runs something. */
function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}
