import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type { RetryPolicy } from '../../../src/domain/calling/retry.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import { placeOfPerson } from '../../../src/leads/zones/place-of-person.ts';
import type { OutcomeShares } from '../../../src/simulator/calls/timeline.ts';
import type { aPhone } from '../../helpers/factory.ts';
import { areas } from '../nights/weekend.ts';

/** A campaign that is forecast, and then played to its end. */
export interface TriedCampaign {
  title: string;
  people: number;
  /** The places of its people, one after the other, over and over. */
  places: readonly string[];
  /** `policy` follows from them. */
  settings: Partial<CampaignSettings>;
  /** Epoch ms. */
  startAt: number;
  mix: OutcomeShares;
  callbacks?: number;
}

const MOSTLY_ANSWERED: OutcomeShares = {
  ...{ answered: 62, voicemail: 14, no_answer: 15, busy: 3, declined: 2, failed: 2 },
  invalid_number: 2,
};
const MOSTLY_SILENT: OutcomeShares = {
  ...{ answered: 11, voicemail: 20, no_answer: 56, busy: 5, declined: 2, failed: 3 },
  invalid_number: 3,
};
const MIXED: OutcomeShares = {
  ...{ answered: 33, voicemail: 33, no_answer: 23, busy: 4, declined: 2, failed: 3 },
  invalid_number: 2,
};

const NEW_YORK = ['America/New_York;US-NY'];
const EUROPE_AND_INDIA = [
  'Europe/Berlin;DE',
  'Asia/Kolkata;IN',
  'Europe/Madrid;ES',
  'Asia/Kolkata;IN',
];
const LONDON = ['Europe/London;GB'];
const ALL_US = [...areas().keys()].map(
  (code) => placeOfPerson({ phone: `+1${code}5550100` as ReturnType<typeof aPhone> }).zoneKey,
);

const THREE_TIMES: RetryPolicy = {
  ...{ attempts: 3, perDay: 2, gapMs: 30 * MINUTE_MS, otherTimeOfDay: false, lastDay: null },
  after: { no_answer: 4 * HOUR_MS, busy: 30 * MINUTE_MS, voicemail: DAY_MS },
  alternatives: null,
};
const TWICE: RetryPolicy = { ...THREE_TIMES, attempts: 2, perDay: null };

const at = (text: string) => Date.parse(text);

/** Ten campaigns that differ in everything that a forecast has to know. */
export const TRIED: readonly TriedCampaign[] = [
  {
    title: '200 in one zone, at any time, two at once',
    ...{ people: 200, places: NEW_YORK, mix: MIXED, startAt: at('2026-01-05T15:00:00Z') },
    settings: { concurrency: 2, rules: ['always'] },
  },
  {
    title: '50 in one zone, own hours, mostly answered',
    ...{ people: 50, places: NEW_YORK, mix: MOSTLY_ANSWERED, startAt: at('2026-01-06T19:00:00Z') },
    settings: {
      concurrency: 2,
      rules: ['always'],
      hours: { from: '09:00', to: '17:00' },
      retry: TWICE,
    },
  },
  {
    title: '1,000 in all of the US, mostly silent, three times',
    ...{ people: 1_000, places: ALL_US, mix: MOSTLY_SILENT, startAt: at('2026-01-05T15:00:00Z') },
    settings: { concurrency: 5, rules: ['us-states'], retry: THREE_TIMES },
  },
  {
    title: '5,000 in all of the US over a weekend',
    ...{ people: 5_000, places: ALL_US, mix: MIXED, startAt: at('2026-01-09T19:00:00Z') },
    settings: { concurrency: 8, rules: ['us-states'], retry: TWICE },
  },
  {
    title: '900 in Europe and India in office hours over a weekend',
    ...{ people: 900, places: EUROPE_AND_INDIA, mix: MOSTLY_ANSWERED },
    startAt: at('2026-01-08T12:00:00Z'),
    settings: {
      ...{ concurrency: 2, rules: ['always'], timezone: 'Europe/Berlin' },
      hours: { from: '09:00', to: '13:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
    },
  },
  {
    title: '600 under uk, mostly silent, three times',
    ...{ people: 600, places: LONDON, mix: MOSTLY_SILENT, startAt: at('2026-01-07T16:00:00Z') },
    settings: { concurrency: 3, rules: ['uk'], timezone: 'Europe/London', retry: THREE_TIMES },
  },
  {
    title: '1,500 in own hours over midnight',
    ...{
      people: 1_500,
      places: ['Asia/Kolkata;IN'],
      mix: MIXED,
      startAt: at('2026-01-06T10:00:00Z'),
    },
    settings: {
      ...{ concurrency: 3, rules: ['always'], timezone: 'Asia/Kolkata' },
      hours: { from: '20:00', to: '02:00' },
    },
  },
  {
    title: '1,200 of whom many ask to be called again',
    ...{ people: 1_200, places: NEW_YORK, mix: MOSTLY_ANSWERED, callbacks: 0.3 },
    startAt: at('2026-01-05T15:00:00Z'),
    settings: { concurrency: 4, rules: ['us-federal'], retry: TWICE },
  },
  {
    title: '1,000 with 150 calls a night',
    ...{ people: 1_000, places: ALL_US, mix: MIXED, startAt: at('2026-01-05T15:00:00Z') },
    settings: {
      concurrency: 10,
      rules: ['us-federal'],
      stop: { calls: 150, at: '19:00' },
      retry: TWICE,
    },
  },
  {
    title: '3,000 at a concurrency of 50 with 500 talk minutes a night',
    ...{ people: 3_000, places: NEW_YORK, mix: MIXED, startAt: at('2026-01-05T15:00:00Z') },
    settings: {
      ...{ concurrency: 50, rules: ['always'], pace: { count: 20, perMs: MINUTE_MS } },
      ...{ hours: { from: '09:00', to: '19:00' }, stop: { talkMinutes: 500 } },
    },
  },
];
