import type { LeadResult, LeadState } from '../../../domain/lead.ts';
import type { ShownState } from '../../../domain/situation.ts';
import type { Campaign } from '../../../views/campaigns.ts';

/** The result of a lead or call; without one, its state; the state of a campaign. */
export function ResultBadge({ result, state }: { result: string | null; state?: string }) {
  const word = result ?? state ?? 'waiting';
  return <span class={`badge ${TONES[word] ?? ''}`}>{wordOf(word)}</span>;
}

/** The state of a campaign as people are told it, and whether its service is simulated. */
export function CampaignBadges({
  shown,
  simulated,
  status,
}: Pick<Campaign, 'shown' | 'simulated'> & Partial<Pick<Campaign, 'status'>>) {
  const isWaiting = shown === 'open' && status?.is === 'waiting';
  return (
    <>
      <ResultBadge result={isWaiting ? 'waiting' : shown} />
      {simulated && (
        <span class="badge" title="On the simulated service: nobody is called">
          simulated
        </span>
      )}
    </>
  );
}

/** The tones of badges that are not plain. */
const TONES: Readonly<Partial<Record<string, string>>> = {
  ...{ answered: 'good', voicemail: 'accent', failed: 'bad', rejected: 'bad' },
  ...{ invalid_number: 'warn', opted_out: 'warn', no_result: 'warn', suppressed: 'warn' },
  ...{ unconfirmed: 'bad', calling: 'accent', done: 'good' },
  ...{ running: 'accent', paused: 'warn', completed: 'good' },
} satisfies Partial<Record<LeadResult | LeadState | ShownState, string>>;

/** A result or a state of a person or a campaign, for people: `no answer`. */
export function wordOf(key: string): string {
  return key === 'calling' ? 'in a call' : key.replaceAll('_', ' ');
}

/** Line drawings of 24 by 24; decoration beside a text, so a reader of the screen does not hear them. */
const DRAWINGS = {
  list: 'M4 6h16M4 12h16M4 18h10',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4',
  blocked: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M6 6l12 12',
  agent: 'M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8M5 20c.6-3.6 3.4-5 7-5s6.400 1.400 7 5',
  service: 'M4 5h16v6H4zM4 13h16v6H4zM7.500 8h.01M7.500 16h.01',
  inbox: 'M4 5h16v14H4zM4 13h4.500l1.500 2.500h4L15.500 13H20',
  people:
    'M9 5a3.500 3.500 0 1 0 0 7a3.500 3.500 0 1 0 0-7M3 19c.5-3 2.800-4.500 6-4.500s5.500 1.500 6 4.500M16 5.500a3.200 3.200 0 0 1 0 6.200M17.500 14.800c2 .6 3.200 2 3.500 4.200',
  log: 'M6 3.500h9l3.500 3.500v13.500H6zM9 11h6M9 15h6',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  warning: 'M12 4L2.800 19.500h18.400zM12 10v4.500M12 17.200v.01',
  info: 'M12 3.500a8.500 8.500 0 1 0 0 17a8.500 8.500 0 1 0 0-17M12 11v5.500M12 7.800v.01',
  play: 'M8 5l11 7l-11 7z',
  pause: 'M8.500 5.500v13M15.500 5.500v13',
  stop: 'M6.500 6.500h11v11h-11z',
  download: 'M12 4v11M7 11l5 5l5-5M5 20h14',
  upload: 'M12 20V9M7 12l5-5l5 5M5 4h14',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M15.500 15.500L20 20',
  next: 'M13 5l7 7l-7 7M20 12H4',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  up: 'M6 15l6-6l6 6',
  down: 'M6 9l6 6l6-6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  file: 'M6 3.500h8l4.500 4.500v12.500H6zM14 3.500V8h4.500',
  phone:
    'M7 4h3l1.500 4.500l-2 1.500a10 10 0 0 0 4.500 4.500l1.500-2L20 14v3c0 1.700-1.300 3-3 3C10.400 20 4 13.600 4 7c0-1.700 1.300-3 3-3z',
  replay: 'M5 12a7 7 0 1 0 2.300-5.200M5 4.500V9h4.500',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  halves: 'M12 3.500a8.500 8.500 0 1 0 0 17a8.500 8.500 0 1 0 0-17M12 3.500v17M15 5v14M18 7v10',
  key: 'M8 11a4 4 0 1 0 0 8a4 4 0 1 0 0-8M11 12.500L20 3.500M16 7.500l3 3',
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon-image" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}
