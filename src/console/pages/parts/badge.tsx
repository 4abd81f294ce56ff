import type { LeadResult, LeadState } from '../../../domain/lead.ts';
import type { ShownState } from '../../../domain/situation.ts';

/** The result of a lead or call; without one, its state. */
export function ResultBadge({ result, state }: { result: string | null; state?: string }) {
  const { text, tone } =
    result === null ? wordOf(LEAD_STATES, state ?? 'waiting') : wordOf(RESULTS, result);
  return <span class={`badge ${tone}`}>{text}</span>;
}

/** The state of a campaign as people are told it, and whether it only rehearses. */
export function CampaignBadges({ shown, simulated }: { shown: string; simulated: boolean }) {
  const { text, tone } = wordOf(CAMPAIGN_STATES, shown);
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

type Tone = '' | 'good' | 'warn' | 'bad' | 'accent';

/** How results and states are told to people: a short text, and the tone of its badge. */
export const RESULTS: Readonly<Record<LeadResult, { text: string; tone: Tone }>> = {
  answered: { text: 'answered', tone: 'good' },
  voicemail: { text: 'voicemail', tone: 'accent' },
  no_answer: { text: 'no answer', tone: '' },
  busy: { text: 'busy', tone: '' },
  declined: { text: 'declined', tone: '' },
  failed: { text: 'failed', tone: 'bad' },
  rejected: { text: 'rejected', tone: 'bad' },
  invalid_number: { text: 'invalid number', tone: 'warn' },
  opted_out: { text: 'opted out', tone: 'warn' },
  unconfirmed: { text: 'unconfirmed', tone: 'bad' },
  no_result: { text: 'no result', tone: 'warn' },
  suppressed: { text: 'suppressed', tone: 'warn' },
  expired: { text: 'expired', tone: '' },
  cancelled: { text: 'cancelled', tone: '' },
};

export const LEAD_STATES: Readonly<Record<LeadState, { text: string; tone: Tone }>> = {
  waiting: { text: 'waiting', tone: '' },
  calling: { text: 'calling', tone: 'accent' },
  done: { text: 'done', tone: 'good' },
};

const CAMPAIGN_STATES: Readonly<Record<ShownState, { text: string; tone: Tone }>> = {
  draft: { text: 'draft', tone: '' },
  open: { text: 'open', tone: '' },
  running: { text: 'running', tone: 'accent' },
  paused: { text: 'paused', tone: 'warn' },
  completed: { text: 'completed', tone: 'good' },
  cancelled: { text: 'cancelled', tone: '' },
};

/** The word for a result or state that may be newer than this page. */
export function wordOf(
  words: Readonly<Record<string, { text: string; tone: Tone }>>,
  key: string,
): { text: string; tone: Tone } {
  return words[key] ?? { text: key.replaceAll('_', ' '), tone: '' };
}
