import { findUpload, removeUpload } from '../../app/lists/uploads.ts';
import { importSuppression } from '../../app/suppression/import-suppression.ts';
import { suppressNumber, unsuppressNumber } from '../../app/suppression/suppress.ts';
import { ageText } from '../../app/suppression/suppression-age.ts';
import {
  browseSuppression,
  lastDayOf,
  type SuppressionPage as Found,
} from '../../app/suppression/suppression-store.ts';
import { readAsOf, readUntil } from '../../app/typed.ts';
import type { World } from '../../app/world.ts';
import { readChoice } from '../../leads/columns/column-choices.ts';
import { answers, shownTo, type Api } from './api.ts';
import { job } from '../contract/common.ts';
import {
  lifted,
  liftQuery,
  newSuppression,
  suppressedNow,
  suppressionImport,
  suppressionPage,
  suppressionParams,
  suppressionQuery,
  type SuppressionPage,
} from '../contract/suppression.ts';
import { worldOf, type Desk } from '../desk.ts';

const tags = ['Suppression'];

/** Numbers that nobody calls. */
export function suppressionRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;

  api.get(
    '/api/v1/suppression',
    {
      schema: {
        tags,
        operationId: 'listSuppression',
        summary: 'Suppressed numbers, the newest first, and the files that some came from',
        querystring: suppressionQuery,
        response: answers({ 200: suppressionPage }),
      },
    },
    async ({ query: { text, after = null, limit }, identity }) => {
      const request = { db, text, before: after, limit, reader: identity };
      const page = await browseSuppression(request, desk.world);
      const { clock, timezone } = desk.world;
      return suppressionBody(page, identity, { now: clock.now(), timezone });
    },
  );

  api.post(
    '/api/v1/suppression',
    {
      schema: {
        tags,
        operationId: 'suppress',
        summary: 'Suppress a number in all campaigns, and all that it may mean',
        body: newSuppression,
        response: answers({ 200: suppressedNow }),
      },
      config: { does: 'number.suppressed' },
    },
    async ({ body: { until, ...body }, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      const expiresAt = await lastMoment(until, world);
      // A person at a page sees which database it is, so that a new one may begin with this entry.
      const attended = identity.kind !== 'token';
      const request = { ...body, db };
      const { phones, added, leads } = await suppressNumber(request, expiresAt, {
        ...world,
        attended,
      });
      return { messages, phones: [...phones], added, leads };
    },
  );

  api.delete(
    '/api/v1/suppression/:phone',
    {
      schema: {
        tags,
        operationId: 'liftSuppression',
        summary: 'Take a number off the list; the entry stays readable',
        params: suppressionParams,
        querystring: liftQuery,
        response: answers({ 200: lifted }),
      },
      config: { does: 'number.lifted' },
    },
    async ({ params: { phone: number }, query, identity }) => {
      const { world, messages } = worldOf(desk, identity);
      return { messages, ...(await unsuppressNumber({ number, ...query, db }, world)) };
    },
  );

  api.post(
    '/api/v1/suppression/import',
    {
      schema: {
        tags,
        operationId: 'importSuppression',
        summary: 'Suppress every number of an uploaded file',
        body: suppressionImport,
        response: answers({ 202: job }),
      },
      config: { does: 'suppression.imported' },
    },
    async ({ body, identity }, reply) => {
      const { upload: id, until, asOf, map, encoding, sheet, country, note } = body;
      const upload = await findUpload(desk.access, id);
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
      const order = { kind: 'suppress', about: upload.name, who: identity.who };
      reply.code(202);
      return desk.jobs.start(order, async (world) => {
        const imported = await importSuppression(request, world);
        // A draft may have taken it meanwhile, or somebody may have deleted it.
        await removeUpload(desk.access, id).catch(world.keepStack);
        return imported;
      });
    },
  );
}

/** Null: for good. */
function lastMoment(until: string | undefined, world: World): Promise<number | null> | null {
  return until === undefined ? null : readUntil('until', until, world);
}

/** A page of the suppression list. The cursor is the place of an entry, as a number would tell whom it is about. */
function suppressionBody(
  { entries, next, files }: Found,
  reader: { transcripts: boolean },
  { now, timezone }: { now: number; timezone: string },
): SuppressionPage {
  const show = shownTo(reader);
  return {
    items: entries.map(({ phone, at, source, note, who, expiresAt }) => ({
      phone: show.phone(phone),
      at,
      source,
      note: note === null ? null : show.text(note),
      who,
      expiresAt,
      lastDay: expiresAt === null ? null : lastDayOf(expiresAt, timezone),
    })),
    next: next === null ? null : String(next),
    files: files.map((file) => {
      const { path, asOf, at, who } = file;
      return { path: show.name(path), asOf, at, who, text: show.name(ageText(file, now)) };
    }),
  };
}
