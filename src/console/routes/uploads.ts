import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  findUpload,
  keepUpload,
  listUploads,
  removeUpload,
  uploadView,
} from '../../app/lists/uploads.ts';
import { done } from '../../views/fields.ts';
import { idParams, routesOf, type Api } from './api.ts';
import { upload, uploads } from '../../views/lists.ts';
import type { Desk } from '../desk.ts';

const uploadQuery = z.object({
  name: z.string().max(1_000).default('list').describe('The name of the file; folders are cut off'),
});

const route = routesOf('Uploads');

/** Lists as they are sent: kept as they come, without being held in memory, until a campaign takes them. */
export function uploadRoutes(api: Api, desk: Desk): void {
  const { access } = desk;

  // The bytes of a file are no JSON, whatever type their sender gives them.
  void api.register((raw: Api, _options, next) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    for (const method of ['post', 'put'] as const) {
      route[method](raw, '/api/v1/uploads', {
        operationId: method === 'post' ? 'sendList' : 'putList',
        summary: 'Send a list: the bytes of the file are the body',
        querystring: uploadQuery,
        answers: { 201: upload },
        does: 'list.sent',
        takesFile: true,
        options: { bodyLimit: Number.MAX_SAFE_INTEGER },
        handler: async (request) => {
          const { world } = request;
          const sent = { ...request.query, bytes: announced(request), body: request.raw };
          const kept = await keepUpload(access, desk.uploads, sent, world);
          request.about = kept.name;
          return uploadView(kept, world);
        },
      });
    }
    next();
  });

  route.get(api, '/api/v1/uploads', {
    operationId: 'listUploads',
    summary: 'Files that nothing has taken yet',
    answers: { 200: uploads },
    handler: () => listUploads(access, desk.uploads, desk.world),
  });
  route.get(api, '/api/v1/uploads/:id', {
    operationId: 'getUpload',
    summary: 'One of them',
    params: idParams,
    answers: { 200: upload },
    handler: async ({ params }) => uploadView(await findUpload(access, params.id), desk.world),
  });
  route.delete(api, '/api/v1/uploads/:id', {
    operationId: 'removeUpload',
    summary: 'Delete a list that was sent',
    params: idParams,
    answers: { 200: done },
    does: 'list.deleted',
    handler: async (request) => {
      const { id } = request.params;
      request.about = (await findUpload(access, id)).name;
      await removeUpload(access, id);
      return { messages: [] };
    },
  });
}

/** How many bytes come; undefined: their sender does not say. */
function announced({ headers }: FastifyRequest): number | undefined {
  const length = Number(headers['content-length']);
  return headers['content-length'] === undefined || Number.isNaN(length) ? undefined : length;
}
