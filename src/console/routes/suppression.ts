import { z } from 'zod';
import { findSent, removeUpload } from '../../app/lists/uploads.ts';
import {
  importSuppression,
  suppressNumber,
  unsuppressNumber,
} from '../../app/suppression/suppress.ts';
import { browseSuppression } from '../../app/suppression/suppression-store.ts';
import { readAsOf, readUntil } from '../../app/typed.ts';
import type { World } from '../../app/world.ts';
import { readChoice } from '../../leads/columns/column-choices.ts';
import { lifted, suppressedNow, suppression } from '../../views/suppression.ts';
import { done } from '../../views/fields.ts';
import { job } from '../../views/jobs.ts';
import { pageQuery, routesOf, type Api } from './api.ts';
import type { Desk } from '../desk.ts';

/** `2026-07-01`; whether the day exists is said by what reads it. */
const day = z.string().min(1).max(20);
const country = z
  .string()
  .max(50)
  .optional()
  .describe('Of numbers without `+`, ISO 3166, e.g. US; left out: such numbers are refused');
const note = z.string().max(1_000).optional().describe('Why, for those who look it up');
const until = day
  .optional()
  .describe('The last day on which it holds, in the zone of the machine; left out: for good');

const suppressionQuery = pageQuery.extend({
  after: z.coerce.number().int().min(0).optional().describe('The `next` of the page before'),
  text: z.string().max(200).default('').describe('Occurs in the number or in the note'),
});

const newSuppression = z.object({
  number: z.string().min(1).max(500).describe('As typed; all that it may mean is suppressed'),
  country,
  until,
  note,
});

const suppressionParams = z.object({ phone: z.string().min(1).max(100) });
const liftQuery = z.object({ note });

/** What `suppress import` takes; the job's result is `suppressionImported`. */
const suppressionImport = z.object({
  upload: z.string().min(1).max(200).describe('The id of an upload'),
  asOf: day.optional().describe('The day that the file dates from; counts for suppression.maxAge'),
  country,
  until,
  note,
  map: z
    .array(z.string().max(500))
    .max(50)
    .default([])
    .describe('Which column holds what, e.g. phone=Mobile'),
  encoding: z.string().max(50).optional(),
  sheet: z.string().max(200).optional(),
});

const route = routesOf('Suppression');

/** Numbers that nobody calls. */
export function suppressionRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;

  route.get(api, '/api/v1/suppression', {
    operationId: 'listSuppression',
    summary: 'Suppressed numbers, the newest first, and the files that some came from',
    querystring: suppressionQuery,
    answers: { 200: suppression },
    handler: ({ query: { text, after = null, limit }, identity }) =>
      browseSuppression({ db, text, before: after, limit, reader: identity }, desk.world),
  });

  route.post(api, '/api/v1/suppression', {
    operationId: 'suppress',
    summary: 'Suppress a number in all campaigns, and all that it may mean',
    body: newSuppression,
    answers: { 200: done.extend(suppressedNow.shape) },
    does: 'number.suppressed',
    handler: async ({ body: { until, ...body }, identity, world, messages }) => {
      const expiresAt = await lastMoment(until, world);
      // A person at a page sees which database it is, so that a new one may begin with this entry.
      const attended = identity.kind !== 'token';
      const request = { ...body, db };
      return { messages, ...(await suppressNumber(request, expiresAt, { ...world, attended })) };
    },
  });

  route.delete(api, '/api/v1/suppression/:phone', {
    operationId: 'liftSuppression',
    summary: 'Take a number off the list; the entry stays readable',
    params: suppressionParams,
    querystring: liftQuery,
    answers: { 200: done.extend(lifted.shape) },
    does: 'number.lifted',
    handler: async ({ params: { phone: number }, query, world, messages }) => {
      return { messages, ...(await unsuppressNumber({ number, ...query, db }, world)) };
    },
  });

  route.post(api, '/api/v1/suppression/import', {
    operationId: 'importSuppression',
    summary: 'Suppress every number of an uploaded file',
    body: suppressionImport,
    answers: { 202: job },
    does: 'suppression.imported',
    handler: async ({ body, identity }) => {
      const { upload: id, until, asOf, map, encoding, sheet, country, note } = body;
      const upload = await findSent(desk.access, id, desk.world);
      const now = desk.world.clock.now();
      const expiresAt = await lastMoment(until, desk.world);
      const input = {
        choices: map.map(readChoice),
        encoding,
        sheet,
        asOf: asOf === undefined ? null : readAsOf('asOf', asOf, now),
      };
      const file = { file: upload.path, name: upload.name };
      const request = { ...file, input, country, note, db, expiresAt };
      const order = { kind: 'suppress', about: upload.name, who: identity.who } as const;
      return desk.jobs.start(order, async (world) => {
        const imported = await importSuppression(request, world);
        // A draft may have taken it meanwhile, or somebody may have deleted it.
        await removeUpload(desk.access, id).catch(world.keepStack);
        return imported;
      });
    },
  });
}

/** Null: for good. */
function lastMoment(until: string | undefined, world: World): Promise<number | null> | null {
  return until === undefined ? null : readUntil('until', until, world);
}
