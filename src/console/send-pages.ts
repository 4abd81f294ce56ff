import { existsSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageRoot } from '../config/package-root.ts';
import { AppError } from '../runtime/errors.ts';

const A_YEAR_MS = 365 * 86_400_000;

/**
 * Sends the pages that `npm ci` has built, each file in the compressed form that the browser takes. Names of files change
 * with their content, so they are kept for a year; the page that names them is asked for each time. They hold nothing of
 * a campaign, so anyone may have them: what they show comes through the API.
 *
 * @returns answers an address that is no file: with the page, which finds out by itself what to show there
 */
export async function sendPages(
  app: FastifyInstance,
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply> {
  const root = join(packageRoot(), 'dist/console/pages');
  const isBuilt = existsSync(root);
  if (isBuilt) {
    await app.register(files, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: A_YEAR_MS,
      index: false,
    });
  }
  return ({ method, url, headers }, reply) => {
    const isPage =
      method === 'GET' &&
      !/^\/(api|assets)\//.test(url) &&
      headers.accept?.includes('text/html') === true;
    if (!isPage) {
      throw new AppError('NO_SUCH_ADDRESS', `There is nothing at ${url.slice(0, 200)}.`, {
        hint: 'see /api/v1/openapi.json',
      });
    }
    if (!isBuilt) {
      throw new AppError('PAGES_MISSING', 'The pages of this console were not built.', {
        hint: 'run `npm run build` in the folder of callsheet',
      });
    }
    return reply.code(200).sendFile('index.html', root, { maxAge: 0, immutable: false });
  };
}
