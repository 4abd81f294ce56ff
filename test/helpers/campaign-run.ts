import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CampaignSettings } from '../../src/domain/campaign.ts';
import { runCampaign, type RunEnd, type RunOptions } from '../../src/run-campaign.ts';
import type { Notice } from '../../src/runtime/log.ts';
import { journalPath } from '../../src/store/journal/journal.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Campaign, ExportRow, HistoryEntry, Owner, Store } from '../../src/store/port.ts';
import { START } from './clock.ts';
import { aCampaign, CREATED, aPhone, someAnalytics } from './factory.ts';
import { Night } from './night.ts';
import { ServiceDouble, type DoubleOptions } from './services/service-double.ts';
import { freshDatabase } from './files/fresh-database.ts';
import { tempFolder } from './files/temp.ts';

export const ME: Owner = { host: 'host-1', boot: 'boot-1', pid: 4_711 };
const ENTRY: HistoryEntry = { at: START, who: 'operator', what: 'test.done', detail: {} };

export interface Plan extends Omit<DoubleOptions, 'clock'> {
  leads?: number;
  settings?: Partial<CampaignSettings>;
  /** False: the service has never answered a dial as expected. Default true. */
  proven?: boolean;
}

/** A running campaign in a database file, its service, and the night in which it is called. */
export interface Scene {
  night: Night;
  clock: Night['clock'];
  path: string;
  store: Store;
  /** A store handle of another process on the same database. */
  openStore: () => Store;
  service: ServiceDouble;
  campaign: Campaign;
  notices: Notice[];
  /** What `runCampaign` is given; `overrides` name what matters to the test. */
  options: (overrides?: Partial<RunOptions>) => RunOptions;
  /** Starts a run; the test lets the time pass. */
  start: (overrides?: Partial<RunOptions>) => Promise<RunEnd>;
  /** Runs it to its end. */
  run: (overrides?: Partial<RunOptions>) => Promise<RunEnd>;
  rows: (campaign?: Campaign) => Promise<ExportRow[]>;
}

export async function aScene(plan: Plan = {}): Promise<Scene> {
  const night = new Night();
  const { clock } = night;
  const path = join(tempFolder(), 'callsheet.db');
  const service = new ServiceDouble({ ...plan, clock });
  if (plan.proven === false) freshDatabase(path);
  else await provenDatabase(path, service);
  const openStore = () => {
    const store = openSqliteStore({ path, mode: 'dial' });
    onTestFinished(() => store.close());
    return night.watch(store);
  };
  const store = openStore();
  const { leads = 5, settings = {} } = plan;
  const campaign = await addCampaign(store, { name: 'spring', from: 0, leads, settings });
  const notices: Notice[] = [];
  const options = (overrides: Partial<RunOptions> = {}): RunOptions => ({
    store,
    campaign,
    dialAt: { service, maxCalls: null },
    collectFrom: [service],
    clock,
    owner: ME,
    isGone: () => false,
    limit: null,
    until: null,
    waitUntil: null,
    notify: (notice) => notices.push(notice),
    stopDialling: new AbortController().signal,
    stop: new AbortController().signal,
    ...overrides,
  });
  return {
    night,
    clock,
    path,
    store,
    openStore,
    service,
    campaign,
    notices,
    options,
    start: (overrides) => runCampaign(options(overrides)),
    run: (overrides) => night.pass(runCampaign(options(overrides))),
    rows: (of = campaign) => store.exportPage(of.id, null, 100_000),
  };
}

/** Adds a running campaign with `leads` people, from the `from`-th fictional number on. */
export async function addCampaign(
  store: Store,
  plan: { name: string; from: number; leads: number; settings?: Partial<CampaignSettings> },
): Promise<Campaign> {
  const { name, from, leads, settings = {} } = plan;
  const id = `cmp_${name}`;
  await store.createCampaign(aCampaign({ id, name, settings }), CREATED);
  await addLeads(store, id, { from, leads });
  return store.changeCampaign(id, { state: 'running' }, ENTRY);
}

export async function addLeads(
  store: Store,
  campaignId: string,
  { from, leads }: { from: number; leads: number },
): Promise<void> {
  const name = `${campaignId}-${from}`;
  const list = { path: `${name}.csv`, sha256: name, headers: ['phone'], at: START };
  const { id } = await store.beginList(campaignId, { ...list, id: name });
  const people = Array.from({ length: leads }, (_, i) => aPhone(from + i));
  const rows = people.map((phone, i) => ({ phone, line: i + 2, cells: [phone] }));
  for (let i = 0; i < leads; i += 1_000) await store.addLeads(id, rows.slice(i, i + 1_000));
  await store.finishList(id, { good: leads, rejected: 0, duplicates: 0 });
}

/** Pauses, resumes or cancels as the operator does. */
export const pause = (store: Store, { id }: Campaign): Promise<Campaign> =>
  store.changeCampaign(id, { pause: { reason: 'operator', detail: 'lunch' } }, ENTRY);
export const resume = (store: Store, { id }: Campaign): Promise<Campaign> =>
  store.changeCampaign(id, { state: 'running', resumes: true }, ENTRY);
export const cancel = (store: Store, { id }: Campaign): Promise<Campaign> =>
  store.changeCampaign(id, { state: 'cancelled' }, ENTRY);

const proven = new Map<string, [database: Buffer, journal: Buffer]>();

/** A database in which a service has answered a dial as expected. One of each service is made, and copied. */
async function provenDatabase(path: string, service: ServiceDouble): Promise<void> {
  const of = JSON.stringify([service.name, service.fingerprint]);
  const known = proven.get(of);
  if (known !== undefined) {
    writeFileSync(path, known[0], { mode: 0o600 });
    writeFileSync(journalPath(path), known[1], { mode: 0o600 });
    return;
  }
  freshDatabase(path);
  const store = openSqliteStore({ path, mode: 'dial' });
  await prove(store, service);
  await store.close();
  proven.set(of, [readFileSync(path), readFileSync(journalPath(path))]);
}

/** One call of a campaign of its own, answered as expected and over. */
async function prove(store: Store, service: ServiceDouble): Promise<void> {
  const { id } = await addCampaign(store, { name: 'proof', from: 79_999, leads: 1 });
  const { intents } = await store.claim({
    campaignId: id,
    want: 1,
    slots: 1,
    serviceSlots: null,
    service: service.name,
    fingerprint: service.fingerprint,
    now: START - 60_000,
    owner: ME,
  });
  for (const { attemptId } of intents) {
    const at = START - 50_000;
    const { fingerprint } = service;
    const answer = { at, detail: '', callId: 'call_proof', nextPollAt: at, fingerprint };
    await store.recordDial(attemptId, { kind: 'placed', ...answer });
    await store.recordPoll(attemptId, {
      kind: 'settled',
      at,
      callId: 'call_proof',
      analytics: someAnalytics(),
      result: 'answered',
      source: 'derived',
    });
  }
}
