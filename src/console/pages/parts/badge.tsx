import { CAMPAIGN_STATES, LEAD_STATES, RESULTS, wordOf } from './result-words.ts';

/** The result of a lead or call; without one, its state. */
export function ResultBadge({ result, state }: { result: string | null; state?: string }) {
  const { text, tone } =
    result === null ? wordOf(LEAD_STATES, state ?? 'waiting') : wordOf(RESULTS, result);
  return <span class={`badge ${tone}`}>{text}</span>;
}

/** The state of a campaign, and whether it only rehearses. */
export function CampaignBadges({ state, simulated }: { state: string; simulated: boolean }) {
  const { text, tone } = wordOf(CAMPAIGN_STATES, state);
  return (
    <>
      <span class={`badge ${tone}`}>{text}</span>
      {simulated && (
        <span class="badge" title="The embedded service: nobody is called">
          rehearsal
        </span>
      )}
    </>
  );
}
