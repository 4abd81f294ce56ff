import type { Desk } from '../desk.ts';
import { sessionCookie } from '../guards/identity.ts';
import { openApiOf } from '../openapi.ts';
import { accessRoutes } from './access.ts';
import type { Api } from './api.ts';
import { campaignJobRoutes, jobRoutes } from './campaign-jobs.ts';
import { campaignRoutes } from './campaigns.ts';
import { doubtRoutes } from './doubts.ts';
import { draftRoutes } from './drafts.ts';
import { figureRoutes, scheduleRoutes } from './figures.ts';
import { inboxRoutes } from './inbox.ts';
import { peopleRoutes } from './people.ts';
import { resultRoutes } from './results.ts';
import { ruleRoutes } from './rules.ts';
import { serviceRoutes } from './services.ts';
import { sessionRoutes } from './session.ts';
import { suppressionRoutes } from './suppression.ts';
import { uploadRoutes } from './uploads.ts';

/** Every route of the API. */
export function apiRoutes(api: Api, desk: Desk): void {
  sessionRoutes(api, desk);
  campaignRoutes(api, desk);
  campaignJobRoutes(api, desk);
  peopleRoutes(api, desk);
  doubtRoutes(api, desk);
  resultRoutes(api, desk);
  figureRoutes(api, desk);
  uploadRoutes(api, desk);
  draftRoutes(api, desk);
  suppressionRoutes(api, desk);
  serviceRoutes(api, desk);
  inboxRoutes(api, desk);
  scheduleRoutes(api, desk);
  ruleRoutes(api, desk);
  jobRoutes(api, desk);
  accessRoutes(api, desk);
  api.get(
    '/api/v1/openapi.json',
    { schema: { hide: true }, config: { role: 'anyone' } },
    (request) => openApiOf(api, sessionCookie(request, desk)),
  );
}
