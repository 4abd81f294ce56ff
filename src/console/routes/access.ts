import { z } from 'zod';
import { logChoices as getLogChoices, listLog } from '../../app/access/log.ts';
import { createToken, listTokens, removeToken } from '../../app/access/sessions.ts';
import { addUser, changePassword, listUsers, removeUser, setRole } from '../../app/access/users.ts';
import { done, moment } from '../../views/fields.ts';
import {
  accessName,
  log,
  logChoices,
  madeToken,
  role,
  tokens,
  transcripts,
  user,
  users,
} from '../../views/access.ts';
import type { Desk } from '../desk.ts';
import { pageQuery, routesOf, type Api } from './api.ts';

const nameParams = z.object({ name: accessName });
const rights = z.object({ role, transcripts: transcripts.default(false) });
const newPassword = z.object({ password: z.string().min(1).max(1_000) });

const logQuery = pageQuery.extend({
  after: z.coerce.number().int().min(0).optional().describe('The `next` of the page before'),
  text: z.string().max(200).optional().describe('Occurs in an entry, or in its sentence'),
  who: z.string().max(100).optional(),
  what: z.string().max(100).optional(),
  from: moment.optional().describe('Not before this moment'),
  to: moment.optional().describe('Before this moment'),
});

/** Users, tokens, and the log of who did what: for admins. Each change is noted in the log by what makes it. */
export function accessRoutes(api: Api, desk: Desk): void {
  const { access } = desk;
  const route = routesOf('Users and tokens', 'admin');
  const logRoute = routesOf('Log', 'admin');
  const none = { messages: [] };

  api.get(
    '/api/v1/users',
    route({
      operationId: 'listUsers',
      summary: 'Who may sign in',
      answers: { 200: users },
    }),
    () => listUsers(access, desk.world),
  );
  api.post(
    '/api/v1/users',
    route({
      operationId: 'addUser',
      summary: 'Add a user',
      body: rights.extend({ ...nameParams.shape, ...newPassword.shape }),
      answers: { 201: user },
    }),
    ({ body, world }) => addUser(access, body, world),
  );
  api.patch(
    '/api/v1/users/:name',
    route({
      operationId: 'setRole',
      summary: 'Give a user another role',
      params: nameParams,
      body: rights,
      answers: { 200: user },
    }),
    ({ params, body, world }) => setRole(access, { ...params, ...body }, world),
  );
  api.put(
    '/api/v1/users/:name/password',
    route({
      operationId: 'changePassword',
      summary: 'Set a password; all sessions of the user end',
      params: nameParams,
      body: newPassword,
      answers: { 200: done },
    }),
    async ({ params, body, world }) => {
      await changePassword(access, { ...params, ...body }, world);
      return none;
    },
  );
  api.delete(
    '/api/v1/users/:name',
    route({
      operationId: 'removeUser',
      summary: 'Remove a user; all their sessions end',
      params: nameParams,
      answers: { 200: done },
    }),
    async ({ params, world }) => {
      await removeUser(access, params.name, world);
      return none;
    },
  );

  api.get(
    '/api/v1/tokens',
    route({
      operationId: 'listTokens',
      summary: 'Tokens of programs',
      answers: { 200: tokens },
    }),
    () => listTokens(access, desk.world),
  );
  api.post(
    '/api/v1/tokens',
    route({
      operationId: 'addToken',
      summary: 'Make a token; it is shown this once',
      body: rights.extend(nameParams.shape),
      answers: { 201: madeToken },
    }),
    ({ body, world }) => createToken(access, body, world),
  );
  api.delete(
    '/api/v1/tokens/:name',
    route({
      operationId: 'removeToken',
      summary: 'Remove a token; what uses it is refused from now on',
      params: nameParams,
      answers: { 200: done },
    }),
    async ({ params, world }) => {
      await removeToken(access, params.name, world);
      return none;
    },
  );

  api.get(
    '/api/v1/log',
    logRoute({
      operationId: 'listLog',
      summary: 'Who did what in this console, the newest first',
      querystring: logQuery,
      answers: { 200: log },
    }),
    ({ query: { after: before = null, from, to, ...query } }) =>
      listLog(
        access,
        {
          ...query,
          before,
          from: from === undefined ? from : Date.parse(from),
          to: to === undefined ? to : Date.parse(to),
        },
        desk.world,
      ),
  );
  api.get(
    '/api/v1/log/choices',
    logRoute({
      operationId: 'getLogChoices',
      summary: 'By whom and by what the log can be filtered',
      answers: { 200: logChoices },
    }),
    () => getLogChoices(access),
  );
}
