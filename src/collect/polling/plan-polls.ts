import { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import type { Notify } from '../../runtime/notice.ts';
import type { Campaign, Store } from '../../store/port.ts';

/** The plan begins with so many of the agent's last calls; what is seen from then on adds to it. */
const LEARN_FROM = 300;

/** The plan of looks for a campaign's calls, which knows how its agent's last calls ended. */
export async function planPolls({
  store,
  campaign,
  notify,
}: {
  store: Store;
  campaign: Campaign;
  notify: Notify;
}): Promise<PollScheduler> {
  const { service, settings } = campaign;
  const plan = new PollScheduler(settings.polling, () => {
    notify({ event: 'webhooks.silent' });
  });
  // For a single test call somebody waits: it is looked at closely, as if nothing were known.
  if (campaign.kind === 'call') return plan;
  const { agent } = settings;
  plan.remember(await store.recentEnds({ service, agent, limit: LEARN_FROM }));
  return plan;
}
