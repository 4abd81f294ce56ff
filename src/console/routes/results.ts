import { Readable, Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';

import { requireTranscripts } from '../../app/access/identity.ts';
import {
  exportCapturedLeads,
  exportResults,
  readResults,
  resultColumns,
  type ResultsRequest,
} from '../../app/results/export.ts';
import type { ResultFormatName } from '../../domain/campaign.ts';
import { campaignParams } from '../contract/common.ts';
import {
  capturedLeadsQuery,
  columns as columnsBody,
  columnsQuery,
  newResults,
  resultsQuery,
} from '../contract/results.ts';
import { worldOf, type Desk } from '../desk.ts';
import { answers, file, type Api } from './api.ts';

const tags = ['Results'];
const exported = file('The file, byte for byte as `callsheet export` writes it');

/** Results as files, which stream. They hold what was said, so not everybody may have them. */
export function resultRoutes(api: Api, desk: Desk): void {
  const { db } = desk.files;
  const { keepStack } = desk.world;
  const toStream = { output: '-', force: false } as const;
  const formatOf = async (request: Parameters<typeof resultColumns>[0]) =>
    (await resultColumns(request, desk.world)).format;

  api.get(
    '/api/v1/campaigns/:campaign/results',
    {
      schema: {
        tags,
        operationId: 'getResults',
        summary: 'The results as they are at one moment, also while the campaign runs',
        params: campaignParams,
        querystring: resultsQuery,
        response: answers({ 200: exported }),
      },
    },
    async ({ params, query, identity }, reply) => {
      requireTranscripts(identity, 'The results');
      const { world } = worldOf(desk, identity);
      const { only, columns = null, since, per, night } = query;
      const format = query.format ?? (await formatOf({ ...params, db, per }));
      const request: ResultsRequest = {
        ...{ ...params, db, ...toStream, per, night, columns, format, onlyNew: false },
        only: only === undefined ? null : readResults('only', only),
        since: since === undefined ? undefined : () => Promise.resolve(since),
      };
      const about = fileOf(params.campaign, per === 'attempt' ? 'attempts' : '', format);
      return download(
        reply,
        about,
        (data) => exportResults(request, { ...world, data }),
        keepStack,
      );
    },
  );

  api.post(
    '/api/v1/campaigns/:campaign/results',
    {
      schema: {
        tags,
        operationId: 'takeNewResults',
        summary: 'Of the people who are done those whose result no earlier one of these has taken',
        params: campaignParams,
        body: newResults,
        response: answers({ 200: exported }),
      },
      config: { does: 'results.taken' },
    },
    async ({ params, body, identity }, reply) => {
      const { world } = worldOf(desk, identity);
      const { only = null, columns = null, since } = body;
      const format = body.format ?? (await formatOf({ ...params, db, per: 'lead' }));
      const request: ResultsRequest = {
        ...{ ...params, db, ...toStream, only, columns, format, onlyNew: true },
        ...{ per: 'lead', night: undefined },
        since: since === undefined ? undefined : () => Promise.resolve(since),
      };
      const about = fileOf(params.campaign, 'new', format);
      return download(
        reply,
        about,
        (data) => exportResults(request, { ...world, data }),
        keepStack,
      );
    },
  );

  api.get(
    '/api/v1/campaigns/:campaign/captured-leads',
    {
      schema: {
        tags,
        operationId: 'getCapturedLeads',
        summary: 'What agents noted in calls: a row each, a column for each field',
        params: campaignParams,
        querystring: capturedLeadsQuery,
        response: answers({ 200: exported }),
      },
    },
    async ({ params, query, identity }, reply) => {
      requireTranscripts(identity, 'Captured leads');
      const { world } = worldOf(desk, identity);
      const request = { ...params, db, ...toStream, ...query };
      const about = fileOf(params.campaign, 'captured-leads', query.format);
      return download(
        reply,
        about,
        (data) => exportCapturedLeads(request, { ...world, data }),
        keepStack,
      );
    },
  );

  api.get(
    '/api/v1/campaigns/:campaign/columns',
    {
      schema: {
        tags,
        operationId: 'listColumns',
        summary: 'The columns that results have',
        params: campaignParams,
        querystring: columnsQuery,
        response: answers({ 200: columnsBody }),
      },
    },
    async ({ params, query, identity }) => {
      const { world } = worldOf(desk, identity);
      const { columns, format } = await resultColumns({ ...params, db, ...query }, world);
      return { items: columns, format };
    },
  );
}

const TYPES: Readonly<Record<ResultFormatName, string>> = {
  csv: 'text/csv; charset=utf-8',
  excel: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** The file that a browser makes of results. @param part what of them, e.g. `attempts`; empty: all */
function fileOf(campaign: string, part: string, format: ResultFormatName): Download {
  const ending = format === 'excel' ? 'csv' : format;
  const name = `${campaign}${part === '' ? '' : `-${part}`}.${ending}`;
  return { type: TYPES[format], name };
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
    read: () => {
      next();
    },
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
