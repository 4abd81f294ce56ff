import { openingsAhead, type CampaignAhead } from '../../app/nights/openings-ahead.ts';
import { scheduleQuery, schedules, type CampaignSchedule } from '../contract/schedule.ts';
import { worldOf, type Desk } from '../desk.ts';
import { answers, type Api } from './api.ts';

/** When people of the campaigns may be called in the next days. */
export function scheduleRoutes(api: Api, desk: Desk): void {
  api.get(
    '/api/v1/schedule',
    {
      schema: {
        tags: ['Schedule'],
        operationId: 'getSchedule',
        summary: 'The openings of the days ahead, of each campaign that is not over',
        querystring: scheduleQuery,
        response: answers({ 200: schedules }),
      },
    },
    async ({ query, identity }) => {
      const { world } = worldOf(desk, identity);
      const now = world.clock.now();
      const found = await openingsAhead({ ...query, db: desk.files.db }, world);
      return { items: found.map(scheduleBody), next: null, now };
    },
  );
}

/** The days ahead of one campaign. */
function scheduleBody({ campaign, ...ahead }: CampaignAhead): CampaignSchedule {
  const { name, state, simulated, settings } = campaign;
  const { timezone, schedule = null } = settings;
  return { campaign: name, state, simulated, timezone, schedule, ...ahead };
}
