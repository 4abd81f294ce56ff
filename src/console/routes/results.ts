import { z } from 'zod';
import { requireTranscripts } from '../../app/access/require-transcripts.ts';
import { readResults } from '../../app/results/chosen-results.ts';
import {
  exportCapturedLeads,
  exportResults,
  type ResultsRequest,
} from '../../app/results/export.ts';
import { resultColumns } from '../../app/results/result-columns.ts';
import { download } from '../answers/download.ts';
import { fileOf } from '../answers/results.ts';
import { campaignParams } from '../contract/common.ts';
import {
  capturedLeadsQuery,
  columns as columnsBody,
  columnsQuery,
  newResults,
  resultsQuery,
} from '../contract/results.ts';
import { worldOf, type Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

const tags = ['Results'];
const file = z.unknown().describe('The file, byte for byte as `callsheet export` writes it');

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
        response: answers({ 200: file }),
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
        response: answers({ 200: file }),
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
        response: answers({ 200: file }),
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
