import type { FastifyRequest } from 'fastify';
import { findUpload, keepUpload, removeUpload } from '../../app/lists/uploads.ts';
import { answers, type Api } from './api.ts';
import { done, idParams } from '../contract/common.ts';
import { upload, uploadQuery, uploads } from '../contract/drafts.ts';
import { worldOf, type Desk } from '../desk.ts';

const tags = ['Uploads'];

/** Lists as they are sent: kept as they come, without being held in memory, until a campaign takes them. */
export function uploadRoutes(api: Api, desk: Desk): void {
  const { access } = desk;

  // The bytes of a file are no JSON, whatever type their sender gives them.
  void api.register((raw: Api, _options, next) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    for (const method of ['POST', 'PUT'] as const) {
      raw.route({
        method,
        url: '/api/v1/uploads',
        bodyLimit: Number.MAX_SAFE_INTEGER,
        schema: {
          tags,
          operationId: method === 'POST' ? 'sendList' : 'putList',
          summary: 'Send a list: the bytes of the file are the body',
          querystring: uploadQuery,
          response: answers({ 201: upload }),
        },
        config: { does: 'list.sent', takesFile: true },
        handler: async (request, reply) => {
          const sent = { ...request.query, bytes: announced(request), body: request.raw };
          const { world } = worldOf(desk, request.identity);
          reply.code(201);
          return keepUpload(access, desk.uploads, sent, world);
        },
      });
    }
    next();
  });

  api.get(
    '/api/v1/uploads',
    {
      schema: {
        tags,
        operationId: 'listUploads',
        summary: 'Files that nothing has taken yet',
        response: answers({ 200: uploads }),
      },
    },
    async () => ({
      items: await access.uploads(),
      next: null,
      mostBytes: desk.uploads.mostBytes,
    }),
  );
  api.get(
    '/api/v1/uploads/:id',
    {
      schema: {
        tags,
        operationId: 'getUpload',
        summary: 'One of them',
        params: idParams,
        response: answers({ 200: upload }),
      },
    },
    ({ params }) => findUpload(access, params.id),
  );
  api.delete(
    '/api/v1/uploads/:id',
    {
      schema: {
        tags,
        operationId: 'removeUpload',
        summary: 'Delete a list that was sent',
        params: idParams,
        response: answers({ 200: done }),
      },
      config: { does: 'list.deleted' },
    },
    async ({ params }) => {
      await removeUpload(access, params.id);
      return { messages: [] };
    },
  );
}

/** How many bytes come; undefined: their sender does not say. */
function announced({ headers }: FastifyRequest): number | undefined {
  const length = Number(headers['content-length']);
  return headers['content-length'] === undefined || Number.isNaN(length) ? undefined : length;
}
