import type { Desk } from '../desk.ts';
import { accessRoutes } from './access.ts';
import type { Api } from './api.ts';
import { campaignJobRoutes } from './campaign-jobs.ts';
import { campaignRoutes } from './campaigns.ts';
import { eventRoutes } from './events.ts';
import { jobRoutes } from './jobs.ts';
import { sessionRoutes } from './session.ts';

/** Every route of the API. @param options.secure cookies are for https alone */
export function apiRoutes(api: Api, desk: Desk, options: { secure: boolean }): void {
  sessionRoutes(api, desk, options);
  campaignRoutes(api, desk);
  campaignJobRoutes(api, desk);
  jobRoutes(api, desk);
  eventRoutes(api, desk);
  accessRoutes(api, desk);
  api.get('/api/v1/openapi.json', { schema: { hide: true }, config: { role: 'anyone' } }, () =>
    api.swagger(),
  );
}
