import { Readable, Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

import { requireTranscripts } from '../../app/access/identity.ts';
import {
  exportCapturedLeads,
  exportResults,
  readResults,
  resultColumns,
  type ResultsRequest,
} from '../../app/results/export.ts';
import type { World } from '../../app/world.ts';
import { RESULT_FORMAT_NAMES, type ResultFormatName } from '../../domain/campaign.ts';
import { LEAD_RESULTS } from '../../domain/lead.ts';
import { moment } from '../../views/fields.ts';
import { peopleFilter } from '../../views/people.ts';
import { columns } from '../../views/results.ts';
import type { Desk } from '../desk.ts';
import { campaignParams, file, routesOf, type Api } from './api.ts';

const night = z
  .string()
  .max(50)
  .describe(
    'A date such as 2026-01-05, `last`, or `before` for calls from before nights were kept',
  );
export const nightQuery = z.object({ night: night.optional() });

/** Names with commas between them; or the parameter several times, as a header of a list may have a comma in it. */
const names = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (typeof given === 'string' ? given.split(',') : given)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );

const format = z
  .enum(RESULT_FORMAT_NAMES)
  .describe('excel is csv for a double click; default: the one that the campaign writes');
const per = z.enum(['lead', 'attempt']).describe('A row per lead, or per attempt; default lead');

const resultsQuery = nightQuery.extend({
  ...peopleFilter.shape,
  format: format.optional(),
  per: per.default('lead'),
  only: names.optional().describe('Only leads with these results, e.g. answered,voicemail'),
  columns: names.optional().describe('Only these columns, in this order'),
  since: moment.optional().describe('Only what began, ended or was settled since then'),
});

/** Of the leads that are done those that no earlier one of these has taken. */
const newResults = z.object({
  format: format.optional(),
  only: z.array(z.enum(LEAD_RESULTS)).max(50).optional(),
  columns: z.array(z.string().max(1_000)).max(1_000).optional(),
  since: resultsQuery.shape.since,
});

const capturedLeadsQuery = z.object({
  format: z.enum(['csv', 'excel', 'jsonl']).default('csv'),
});
const columnsQuery = z.object({
  per: per.default('lead'),
  format: format.optional(),
});

const route = routesOf('Results');
const exported = file('The file, byte for byte as `callsheet export` writes it');

/** Results as files, which stream. They hold what was said, so not everybody may have them. */
export function resultRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;
  const { keepStack } = desk.world;
  const toStream = { output: '-', force: false } as const;
  const results = (reply: FastifyReply, about: Download, request: ResultsRequest, world: World) =>
    download(reply, about, (data) => exportResults(request, { ...world, data }), keepStack);
  const formatOf = async (request: Parameters<typeof resultColumns>[0]) =>
    (await resultColumns(request, desk.world)).format;

  route.get(api, '/api/v1/campaigns/:campaign/results', {
    operationId: 'getResults',
    summary: 'The results as they are at one moment, also while the campaign runs',
    params: campaignParams,
    querystring: resultsQuery,
    answers: { 200: exported },
    handler: async ({ params, query, identity, world }, reply) => {
      requireTranscripts(identity, 'The results');
      const { only, columns = null, since, per, night, format: wanted, ...filter } = query;
      const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '');
      const among = isFiltered ? { ...filter, reader: identity } : undefined;
      const format = wanted ?? (await formatOf({ ...params, db, per }));
      const request: ResultsRequest = {
        ...{ ...params, db, ...toStream, per, night, columns, format, onlyNew: false, among },
        only: only === undefined ? null : readResults('only', only),
        since: momentAt(since),
      };
      const about = fileOf(params.campaign, per === 'attempt' ? 'attempts' : '', format);
      return results(reply, about, request, world);
    },
  });

  route.post(api, '/api/v1/campaigns/:campaign/results', {
    operationId: 'takeNewResults',
    summary: 'Of the people who are done those whose result no earlier one of these has taken',
    params: campaignParams,
    body: newResults,
    answers: { 200: exported },
    does: 'results.taken',
    handler: async ({ params, body, world }, reply) => {
      const { only = null, columns = null, since } = body;
      const format = body.format ?? (await formatOf({ ...params, db, per: 'lead' }));
      const request: ResultsRequest = {
        ...{ ...params, db, ...toStream, only, columns, format, onlyNew: true },
        ...{ per: 'lead', night: undefined },
        since: momentAt(since),
      };
      const about = fileOf(params.campaign, 'new', format);
      return results(reply, about, request, world);
    },
  });

  route.get(api, '/api/v1/campaigns/:campaign/captured-leads', {
    operationId: 'getCapturedLeads',
    summary: 'What agents noted in calls: a row each, a column for each field',
    params: campaignParams,
    querystring: capturedLeadsQuery,
    answers: { 200: exported },
    handler: async ({ params, query, identity, world }, reply) => {
      requireTranscripts(identity, 'Captured leads');
      const request = { ...params, db, ...toStream, ...query };
      const about = fileOf(params.campaign, 'captured-leads', query.format);
      return download(
        reply,
        about,
        (data) => exportCapturedLeads(request, { ...world, data }),
        keepStack,
      );
    },
  });

  route.get(api, '/api/v1/campaigns/:campaign/columns', {
    operationId: 'listColumns',
    summary: 'The columns that results have',
    params: campaignParams,
    querystring: columnsQuery,
    answers: { 200: columns },
    handler: ({ params, query, world }) => resultColumns({ ...params, db, ...query }, world),
  });
}

const momentAt = (since: string | undefined) =>
  since === undefined ? undefined : () => Promise.resolve(Date.parse(since));

const TYPES: Readonly<Record<ResultFormatName, string>> = {
  csv: 'text/csv; charset=utf-8',
  excel: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** The file that a browser makes of results. @param part what of them, e.g. `attempts`; empty: all */
function fileOf(campaign: string, part: string, format: ResultFormatName): Download {
  const ending = format === 'excel' ? 'csv' : format;
  return { type: TYPES[format], name: `${campaign}-${part === '' ? 'results' : part}.${ending}` };
}

interface Download {
  type: string;
  /** Under which name a browser keeps it; null: it is shown. */
  name: string | null;
}

/**
 * Answers with what `write` writes to the stream that it gets. What is refused before the first byte is thrown, so that
 * it becomes a problem with a status; what fails later cuts the answer off, so that nobody takes a part for the whole.
 * A reader who leaves ends the writing, too.
 *
 * @param keepStack told of what fails later
 */
export async function download(
  reply: FastifyReply,
  { type, name }: Download,
  write: (data: Writable) => Promise<unknown>,
  keepStack: (error: unknown) => void,
): Promise<Readable> {
  const { data, out, begun, hasBegun } = through();
  reply.raw.once('close', () => {
    out.destroy();
  });
  const written = write(data).then(
    () => {
      out.push(null);
    },
    (error: unknown) => {
      if (!hasBegun()) throw error;
      if (out.destroyed) return;
      keepStack(error);
      out.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  await Promise.race([begun, written]);
  void reply.header('content-type', type).header('cache-control', 'no-store');
  if (name !== null) void reply.header('content-disposition', attachment(name));
  return out;
}

/**
 * A stream to write to and one to read from. A chunk counts as written when the reader asks for more; the writer
 * hears when the reader leaves, which a PassThrough does not say.
 */
function through() {
  let taken: ((error?: Error) => void) | undefined;
  let isBegun = false;
  let resolveBegun: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (resolveBegun = resolve));
  const begin = () => {
    isBegun = true;
    resolveBegun();
  };
  /** Tells that the last chunk was taken, or will not be. */
  const next = (error?: Error) => {
    const done = taken;
    taken = undefined;
    done?.(error);
  };
  const out = new Readable({
    highWaterMark: 1,
    read: () => next(),
    destroy: (error, done) => {
      begin();
      next(new Error('the reader has left'));
      data.destroy();
      done(error);
    },
  });
  const data = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      taken = done;
      out.push(chunk);
      begin();
    },
  });
  // The one who writes is told by the callback of the write.
  data.on('error', () => undefined);
  return { data, out, begun, hasBegun: () => isBegun };
}

/** The name as it is, and in plain letters for programs that know no others. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '_').replace(/^\.+/, '_');
  const whole = encodeURIComponent(name.replaceAll(/[/\\\p{Cc}]+/gu, '_')).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
