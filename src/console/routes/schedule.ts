import { z } from 'zod';
import { openingsAhead } from '../../app/nights/openings-ahead.ts';
import { schedules } from '../../views/schedule.ts';
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
        querystring: z.object({ days: z.coerce.number().int().min(1).max(31).default(14) }),
        response: answers({ 200: schedules }),
      },
    },
    ({ query, identity }) =>
      openingsAhead({ ...query, db: desk.files.db }, worldOf(desk, identity).world),
  );
}
