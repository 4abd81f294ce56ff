import type { CampaignAhead } from '../../app/nights/openings-ahead.ts';
import type { CampaignSchedule } from '../contract/schedule.ts';

/** The days ahead of one campaign. */
export function scheduleBody({ campaign, ...ahead }: CampaignAhead): CampaignSchedule {
  const { name, state, simulated, settings } = campaign;
  const { timezone, schedule = null } = settings;
  return { campaign: name, state, simulated, timezone, schedule, ...ahead };
}
