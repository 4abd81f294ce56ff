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

  route.get(api, '/api/v1/users', {
    operationId: 'listUsers',
    summary: 'Who may sign in',
    answers: { 200: users },
    handler: () => listUsers(access, desk.world),
  });
  route.post(api, '/api/v1/users', {
    operationId: 'addUser',
    summary: 'Add a user',
    body: rights.extend({ ...nameParams.shape, ...newPassword.shape }),
    answers: { 201: user },
    handler: ({ body, world }) => addUser(access, body, world),
  });
  route.patch(api, '/api/v1/users/:name', {
    operationId: 'setRole',
    summary: 'Give a user another role',
    params: nameParams,
    body: rights,
    answers: { 200: user },
    handler: ({ params, body, world }) => setRole(access, { ...params, ...body }, world),
  });
  route.put(api, '/api/v1/users/:name/password', {
    operationId: 'changePassword',
    summary: 'Set a password; all sessions of the user end',
    params: nameParams,
    body: newPassword,
    answers: { 200: done },
    handler: async ({ params, body, world }) => {
      await changePassword(access, { ...params, ...body }, world);
      return none;
    },
  });
  route.delete(api, '/api/v1/users/:name', {
    operationId: 'removeUser',
    summary: 'Remove a user; all their sessions end',
    params: nameParams,
    answers: { 200: done },
    handler: async ({ params, world }) => {
      await removeUser(access, params.name, world);
      return none;
    },
  });

  route.get(api, '/api/v1/tokens', {
    operationId: 'listTokens',
    summary: 'Tokens of programs',
    answers: { 200: tokens },
    handler: () => listTokens(access, desk.world),
  });
  route.post(api, '/api/v1/tokens', {
    operationId: 'addToken',
    summary: 'Make a token; it is shown this once',
    body: rights.extend(nameParams.shape),
    answers: { 201: madeToken },
    handler: ({ body, world }) => createToken(access, body, world),
  });
  route.delete(api, '/api/v1/tokens/:name', {
    operationId: 'removeToken',
    summary: 'Remove a token; what uses it is refused from now on',
    params: nameParams,
    answers: { 200: done },
    handler: async ({ params, world }) => {
      await removeToken(access, params.name, world);
      return none;
    },
  });

  logRoute.get(api, '/api/v1/log', {
    operationId: 'listLog',
    summary: 'Who did what in this console, the newest first',
    querystring: logQuery,
    answers: { 200: log },
    handler: ({ query: { after: before = null, from, to, ...query } }) =>
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
  });
  logRoute.get(api, '/api/v1/log/choices', {
    operationId: 'getLogChoices',
    summary: 'By whom and by what the log can be filtered',
    answers: { 200: logChoices },
    handler: () => getLogChoices(access),
  });
}
