import { shortHash } from '../../runtime/ids.ts';
import type { Agent } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { localTime } from '../../text/local-time.ts';

/** What is kept of an agent to detect changes; the prompt itself stays at the service. */
interface AgentSeen {
  id: string;
  name: string | null;
  /** A hash of the system prompt; null when the service does not return the prompt. */
  prompt: string | null;
}

export function seen({ id, name, systemPrompt }: Agent): AgentSeen {
  return { id, name, prompt: systemPrompt === null ? null : shortHash([systemPrompt]) };
}

/**
 * At every run, compares the agent with what the campaign saw of it first: a campaign whose prompt changes halfway is
 * two campaigns in one. Tells the differences, and records in the history what was seen.
 */
export async function watchAgent(
  store: Store,
  campaign: Campaign,
  agent: Agent,
  world: World,
): Promise<void> {
  const now = seen(agent);
  const history = await store.history(campaign.id);
  const first = history.find(({ detail }) => detail['agentSeen'] !== undefined);
  const at = world.clock.now();
  if (first === undefined) {
    const detail = { agentSeen: now };
    await store.addHistory(campaign.id, { at, who: 'callsheet', what: 'agent.seen', detail });
    return;
  }
  const before = first.detail['agentSeen'] as AgentSeen;
  const changes = differences(before, now);
  if (changes.length === 0) return;
  const since = localTime(first.at, campaign.settings.timezone);
  world.tell(
    `Agent ${agent.id} is not what it was when this campaign began (${since}): ${changes.join(' and ')}. People who were called before spoke with the old one.`,
    'problem',
  );
  const last = history.findLast(({ what }) => what === 'agent.changed')?.detail['agentNow'];
  if (JSON.stringify(last) === JSON.stringify(now)) return;
  const detail = { agentNow: now, before };
  await store.addHistory(campaign.id, { at, who: 'callsheet', what: 'agent.changed', detail });
}

/** A value that the service left out once cannot be compared. */
function differences(before: AgentSeen, now: AgentSeen): string[] {
  const differs = (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other;
  return [
    differs(before.name, now.name) && `its name was "${before.name}" and is "${now.name}"`,
    differs(before.prompt, now.prompt) && 'its prompt is another one',
  ].filter((change) => change !== false);
}
