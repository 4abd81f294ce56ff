import { loadRule } from '../../../src/config/rules/load-rule.ts';
import { composePolicy } from '../../../src/config/rules/compose-policy.ts';
import { loadZoneOverrides } from '../../../src/config/rules/zone-overrides.ts';
import { isE164, type E164 } from '../../../src/domain/phone.ts';
import { AREA_CODES } from '../../../src/leads/zones/number-zones.ts';
import { placeOfPerson } from '../../../src/leads/zones/place-of-person.ts';
import { runCampaign } from '../../../src/run-campaign.ts';
import type { Dial, PollResult, VoiceService } from '../../../src/service/port.ts';
import type { Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { aCampaign, CREATED, someAnalytics, someSettings } from '../../helpers/factory.ts';
import { Night } from '../../helpers/night.ts';
import type { Area, Ring } from './judge.ts';

/** Friday 2026-01-09 16:30 in New York. */
export const FRIDAY = Date.UTC(2026, 0, 9, 21, 30);
const HOUR_MS = 3_600_000;
export const TALK_MS = 240_000;
/** So many people for one call at a time leave work for the fourth day. */
const PEOPLE_PER_SLOT = 100;
/** Timers are late by up to a second, so that those who are due within it share their commits. */
const STEP_MS = 1_000;
/** Nobody else works on this database. */
const OTHERS_EVERY_MS = 60_000;
/** Enough runs for a fortnight; a campaign that needs more hangs. */
const MOST_RUNS = 2_000;
/** What comes of a call, over and over: people who do not answer are called again, up to six times. */
const OUTCOMES = ['answered', 'no_answer', 'busy', 'answered', 'no_answer', 'no_answer'] as const;

export interface Weekend {
  rings: Ring[];
  /** When each run began, epoch ms. */
  runs: number[];
  leads: number;
  /** Calls at once, at most. */
  concurrency: number;
  /** How many of them wait still. */
  waiting: number;
}

/**
 * Calls so many people in all area codes of the United States by the whole program, run after run, until nobody waits.
 * `rings` is what the service has noted.
 */
export async function callOverTheWeekend(path: string, leads: number): Promise<Weekend> {
  const night = new Night(STEP_MS);
  night.clock.setWall(FRIDAY);
  const opened = openSqliteStore({ path, mode: 'dial' });
  const store = night.watch(opened);
  try {
    const campaign = await prepare(store, leads);
    const rings: Ring[] = [];
    const service = listener(night, rings);
    const runs: number[] = [];
    for (; runs.length < MOST_RUNS;) {
      runs.push(night.clock.now());
      const end = await night.pass(
        runCampaign({
          store,
          campaign,
          dialAt: { service, maxCalls: null },
          collectFrom: [service],
          clock: night.clock,
          owner: { host: 'host-1', boot: 'boot-1', pid: 4_711 },
          isGone: () => false,
          limit: null,
          until: null,
          waitUntil: null,
          notify: () => undefined,
          stopDialling: new AbortController().signal,
          stop: new AbortController().signal,
          othersEveryMs: OTHERS_EVERY_MS,
        }),
      );
      if (end.nextAt === null) break;
      await night.sleep(Math.max(1_000, end.nextAt - night.clock.now()));
    }
    const { waiting } = await store.progress(campaign.id, night.clock.now());
    return { rings, runs, leads, concurrency: campaign.settings.concurrency, waiting };
  } finally {
    await opened.close();
  }
}

/** All area codes of states and territories, with their zones and states. */
export function areas(): Map<string, Area> {
  const all = new Map<string, Area>();
  for (const row of AREA_CODES.split(';')) {
    const [zones = '', states = '', codes = ''] = row.split('|');
    if (!states.startsWith('US-')) continue;
    const area = { zones: zones.split('&'), states: states.split(/[ &]/) };
    for (const code of codes.split(' ')) all.set(code, area);
  }
  return all;
}

/** Numbers of the exchange 555, from 0100 on, of one area code after the other; they exist here only. */
function people(count: number): E164[] {
  const codes = [...areas().keys()];
  return Array.from({ length: count }, (_, n) => {
    const line = String(100 + Math.floor(n / codes.length)).padStart(4, '0');
    const phone = `+1${codes[n % codes.length] ?? ''}555${line}`;
    if (!isE164(phone)) throw new Error(`${phone} is no number`);
    return phone;
  });
}

async function prepare(store: Store, leads: number) {
  const own = { timezone: 'America/New_York' };
  const policy = composePolicy([loadRule('us-states', undefined)], own, loadZoneOverrides());
  const concurrency = Math.max(1, Math.ceil(leads / PEOPLE_PER_SLOT));
  const settings = someSettings({
    concurrency,
    requests: Math.min(concurrency, 256),
    rules: ['us-states'],
    polling: { floorMs: 30_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
    retry: {
      ...{ attempts: 6, perDay: null, gapMs: HOUR_MS, otherTimeOfDay: false, lastDay: null },
      after: { no_answer: HOUR_MS, busy: HOUR_MS },
      alternatives: null,
    },
  });
  if (policy !== undefined) settings.policy = policy;
  const id = 'cmp_weekend';
  await store.createCampaign(aCampaign({ id, name: 'weekend', settings }), CREATED);
  const about = { path: 'weekend.csv', sha256: 'weekend', headers: ['phone'], at: FRIDAY };
  const list = await store.beginList(id, { ...about, id: 'weekend' });
  const rows = people(leads).map((phone, n) => {
    const { zoneKey } = placeOfPerson({ phone });
    return { phone, line: n + 2, cells: [phone], zoneKey };
  });
  for (let i = 0; i < leads; i += 1_000) await store.addLeads(list.id, rows.slice(i, i + 1_000));
  await store.finishList(list.id, { good: leads, rejected: 0, duplicates: 0 });
  const entry = { at: FRIDAY, who: 'operator', what: 'campaign.started', detail: {} };
  return store.changeCampaign(id, { state: 'running' }, entry);
}

/** A service that takes every call and notes when the phone rang; it looks up calls as fast with 100,000 of them. */
function listener({ clock }: Night, rings: Ring[]): VoiceService {
  const ends = new Map<string, number>();
  return {
    url: 'http://127.0.0.1',
    name: 'main',
    fingerprint: 'main-1',
    callList: null,
    endsUnrung: false,
    async startCall({ phone }: Dial, permit) {
      if (!permit()) {
        return { kind: 'neverSent', cause: 'permit', status: null, detail: 'nothing was sent' };
      }
      const n = rings.length + 1;
      rings.push({ at: clock.now(), phone, result: resultOf(n) });
      const callId = `call_${n}`;
      ends.set(callId, clock.now() + TALK_MS);
      await clock.sleep(20);
      return { kind: 'placed', callId, status: 200, detail: 'HTTP 200' };
    },
    readAnalytics: (callId) => Promise.resolve(lookAt(callId, ends.get(callId) ?? 0, clock.now())),
    probe: () => Promise.resolve({ ok: true }),
    listAgents: () => Promise.reject(new Error('not asked for here')),
    createAgent: () => Promise.reject(new Error('not asked for here')),
    close: () => Promise.resolve(),
  };
}

function lookAt(callId: string, endsAt: number, now: number): PollResult {
  if (now < endsAt) return { kind: 'pending' };
  const result = resultOf(Number(callId.slice('call_'.length)));
  return { kind: 'settled', analytics: someAnalytics({ durationMs: TALK_MS }), result };
}

/** Of the n-th call, from 1. */
function resultOf(n: number): Ring['result'] {
  return OUTCOMES[((n * 7) % 11) % OUTCOMES.length] ?? 'answered';
}
