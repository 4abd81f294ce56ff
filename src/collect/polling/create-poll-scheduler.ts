import { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import type { Campaign } from '../../store/port.ts';
import type { SettleContext } from '../settle.ts';

/** The scheduler starts from this many of the agent's last calls, and goes on learning during the run. */
const LEARN_FROM = 300;

type PollSchedulerOptions = Pick<SettleContext, 'store' | 'notify'> & { campaign: Campaign };

/** The poll scheduler of a campaign, which has learned from its agent's last calls. */
export async function createPollScheduler({
  store,
  campaign,
  notify,
}: PollSchedulerOptions): Promise<PollScheduler> {
  const { service, settings } = campaign;
  const scheduler = new PollScheduler(settings.polling, () => {
    notify({ event: 'webhooks.silent' });
  });
  // A person waits for a single test call: without known call durations, the scheduler polls more often.
  if (campaign.kind === 'call') return scheduler;
  const { agent } = settings;
  scheduler.remember(await store.recentEnds({ service, agent, limit: LEARN_FROM }));
  return scheduler;
}
