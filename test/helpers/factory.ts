import type { Analytics } from '../../src/domain/lead.ts';
import type { CampaignSettings } from '../../src/domain/campaign.ts';
import { isE164, type E164 } from '../../src/domain/phone.ts';
import type { Agent } from '../../src/service/port.ts';
import type { HistoryEntry, Intent, NewCampaign, NewLead } from '../../src/store/port.ts';
import { START } from './clock.ts';

/** Plausible settings: an unhurried campaign with the documented defaults. */
export function someSettings(overrides: Partial<CampaignSettings> = {}): CampaignSettings {
  return {
    agent: 'ag_1',
    country: 'US',
    timezone: 'America/New_York',
    concurrency: 5,
    pace: null,
    requests: 5,
    rules: ['always'],
    polling: { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
    longestCallMs: 900_000,
    reconcileForMs: 600_000,
    results: { file: null, format: 'csv' },
    ...overrides,
  };
}

export function aCampaign(
  overrides: Partial<Omit<NewCampaign, 'settings'>> & {
    settings?: Partial<CampaignSettings>;
  } = {},
): NewCampaign {
  const { settings, ...rest } = overrides;
  return {
    id: 'cmp_spring',
    name: 'spring',
    kind: 'list',
    service: 'main',
    simulated: false,
    createdAt: START,
    ...rest,
    settings: someSettings(settings),
  };
}

/** The first line in the history of a campaign. */
export const CREATED: HistoryEntry = {
  at: START,
  who: 'operator',
  what: 'campaign.created',
  detail: {},
};

/** The n-th lead of a list (from 0), on the line after the header and its predecessors. */
export function aLead(n = 0, overrides: Partial<NewLead> = {}): NewLead {
  const phone = aPhone(n);
  return { phone, line: n + 2, cells: [`Person ${n}`, phone], ...overrides };
}

export function anIntent(overrides: Partial<Intent> = {}): Intent {
  return {
    attemptId: 'att_1',
    key: 'att_1',
    phone: aPhone(0),
    agent: 'ag_1',
    ordinal: 1,
    intentAt: START,
    ...overrides,
  };
}

export function someAnalytics(overrides: Partial<Analytics> = {}): Analytics {
  return {
    transcript: 'agent: Hello.\nperson: Hello, yes.',
    turns: [
      { speaker: 'agent', text: 'Hello.' },
      { speaker: 'person', text: 'Hello, yes.' },
    ],
    durationMs: 42_000,
    sentiment: { label: 'positive', score: 0.8 },
    summary: 'A short call.',
    recordingUrl: null,
    cost: '0.12',
    costCurrency: 'USD',
    extracted: null,
    raw: { status: 'completed' },
    ...overrides,
  };
}

/** Fictional numbers only: 555-0100 to 555-0199 of area code 200, then of 201, and so on. */
export function aPhone(n: number): E164 {
  const phone = `+1${200 + Math.floor(n / 100)}55501${String(n % 100).padStart(2, '0')}`;
  if (!isE164(phone)) throw new Error(`there are only 80,000 fictional numbers, not ${n}`);
  return phone;
}

export function someAgent(id: string, overrides: Partial<Agent> = {}): Agent {
  return { id, name: null, systemPrompt: null, raw: { id }, ...overrides };
}
