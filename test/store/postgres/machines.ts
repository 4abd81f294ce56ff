import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import type * as Opening from '../../../src/store/postgres/open.ts';
import type { ServerStore } from '../../../src/store/postgres/open.ts';
import { systemDisk, type Disk } from '../../../src/store/sqlite/file/ballast.ts';
import {
  aClaim,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  someLeads,
} from '../../conformance/store/setup.ts';
import { someAnalytics } from '../../helpers/factory.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { anyDisk, asServer, built, endConnections } from './a-schema.ts';

const { openServerStore, migrateServer } = await built<typeof Opening>('open');
const NOW_AWAITED = { intents: [], shortfall: 'machines_awaited' };

it('a copy calls nobody before each machine has shown its journal, and lost calls come back', async () => {
  const one = await aDatabase();
  const [here, there] = [aMachine(), aMachine()];
  const [a, b] = [await one.open(here), await one.open(there)];
  await aRunningCampaign(a, { leads: 9 });
  await dialled(a, placed('call_1'));
  await dialled(b, placed('call_2'));
  const copy = await one.copy();
  const lost = [await dialled(a, placed('call_3')), await dialled(b, placed('call_4'))];

  const first = await copy.open(here);
  expect(first.recovered).toBe(1);
  await copy.pauseIsOver();
  expect(await first.claim(aClaim())).toMatchObject(NOW_AWAITED);
  const gates = { campaignId: CAMPAIGN, serviceSlots: null, now: aClaim().now };
  expect((await first.claimGates(gates)).map(({ why }) => why)).toContain('machines_awaited');
  expect((await first.machines()).map(({ isAwaited }) => isAwaited).sort()).toEqual([false, true]);
  const second = await copy.open(there);
  expect(second.recovered).toBe(1);
  await copy.pauseIsOver();
  expect((await first.claimGates(gates)).map(({ why }) => why)).not.toContain('machines_awaited');
  const doubts = await first.doubts(CAMPAIGN);
  expect(doubts.map(({ key }) => key).sort()).toEqual(lost.map(({ key }) => key).sort());

  // Numbers go on far behind those of the copy that is gone, whose answers may still come.
  const next = await claimedOne(first);
  expect(Number(next.attemptId.slice(1))).toBeGreaterThan(1_000_000);
  expect(lost.map(({ phone }) => phone)).not.toContain(next.phone);
});

it('two share the slots of a service, and one of them takes up each scheduled time', async () => {
  const one = await aDatabase();
  const both = [await one.open(aMachine()), await one.open(aMachine())] as const;
  const limit = { want: 3, serviceSlots: 4 };
  for (const [i, id] of [CAMPAIGN, 'cmp_b'].entries())
    await aRunningCampaign(both[0], { id, leads: someLeads(9, 9 * i) });
  const asked = both.map((each, i) =>
    each.claim(aClaim({ ...limit, campaignId: i === 0 ? CAMPAIGN : 'cmp_b' })),
  );
  expect((await Promise.all(asked)).flatMap(({ intents }) => intents)).toHaveLength(4);

  const at = aClaim().now;
  const taker = (host: string) => ({ host, boot: 'boot', pid: 1 });
  const fired = both.map((each, i) =>
    each.takeFiring(CAMPAIGN, { at, met: 'on_time', takenAt: at, taker: taker(`host-${i}`) }),
  );
  expect((await Promise.all(fired)).toSorted()).toEqual([false, true]);
  expect(await both[0].firings(CAMPAIGN)).toEqual(await both[1].firings(CAMPAIGN));
});

it('a machine that has left, and one that a person forgets, are not waited for', async () => {
  const one = await aDatabase();
  const [here, there, gone] = [aMachine(), aMachine(), aMachine()];
  const a = await one.open(here);
  await aRunningCampaign(a, { leads: 9 });
  const b = await one.open(there);
  await dialled(b, placed('call_1'));
  await b.close();
  await dialled(await one.open(gone), placed('call_2'));
  const copy = await one.copy();

  const first = await copy.open(here);
  await copy.pauseIsOver();
  expect(await first.claim(aClaim())).toMatchObject(NOW_AWAITED);
  const awaited = (await first.machines()).filter(({ isAwaited }) => isAwaited);
  expect(awaited).toMatchObject([{ leftAt: null }]);
  expect(await first.forgetMachine('nobody')).toBe(false);
  expect(await first.forgetMachine(awaited[0]?.id ?? '')).toBe(true);
  await copy.pauseIsOver();
  await claimedOne(first);
});

it('one that came after the moment of a copy and works connects again before anybody is called', async () => {
  const one = await aDatabase();
  const [here, there] = [aMachine(), aMachine()];
  const a = await one.open(here);
  await aRunningCampaign(a, { leads: 9 });
  const copy = await one.copy();
  const b = await one.open(there);
  const lost = await dialled(b, placed('call_1'));
  await copy.takePlaceOf(one);

  expect(await a.claim(aClaim())).toMatchObject(NOW_AWAITED);
  expect((await a.machines()).map(({ isAwaited }) => isAwaited)).toEqual([false]);
  // It calls nobody at the moment.
  await b.listCampaigns();
  await b.listCampaigns();
  expect((await a.doubts(CAMPAIGN)).map(({ key }) => key)).toEqual([lost.key]);
  expect(await a.claim(aClaim())).toMatchObject(NOW_AWAITED);
  expect((await a.machines()).map(({ isAwaited }) => isAwaited)).toEqual([false, false]);
  await one.pauseIsOver();
  expect((await claimedOne(a)).phone).not.toBe(lost.phone);
});

it('the answer to a call that is lost in a copy is kept there', async () => {
  const one = await aDatabase();
  const a = await one.open(aMachine());
  await aRunningCampaign(a, { leads: 9 });
  const copy = await one.copy();
  const { attemptId, phone } = await claimedOne(a);
  await copy.takePlaceOf(one);

  await a.recordDial(attemptId, placed('call_1'));
  // The copy is compared anew for the poll, too.
  await one.run("UPDATE store SET copy = 'another'");
  await endConnections(one.name);
  await a.recordPoll(attemptId, { ...SETTLED, analytics: someAnalytics() });
  expect(await a.attemptsOf(CAMPAIGN, phone)).toMatchObject([
    { attempt: { callId: 'call_1', state: 'settled' } },
  ]);
});

it('what is found of a call of another machine waits until that one has brought it back', async () => {
  const one = await aDatabase();
  const [a, b] = [await one.open(aMachine()), await one.open(aMachine())];
  await aRunningCampaign(a, { leads: 9 });
  const copy = await one.copy();
  const { attemptId, phone } = await dialled(b, placed('call_1'));
  await copy.takePlaceOf(one);

  const poll = { ...SETTLED, analytics: someAnalytics() };
  await expect(a.recordPoll(attemptId, poll)).rejects.toMatchObject({ code: 'STORE_AWAY' });
  await b.listCampaigns();
  await b.listCampaigns();
  await a.recordPoll(attemptId, poll);
  expect(await a.attemptsOf(CAMPAIGN, phone)).toMatchObject([{ attempt: { callId: 'call_1' } }]);
});

it('one that calls nobody shows its journal, too, when a person says that a copy was put back', async () => {
  const one = await aDatabase();
  const [a, b] = [await one.open(aMachine()), await one.open(aMachine())];
  await aRunningCampaign(a, { leads: 9 });
  await a.wasRestored();
  await a.listCampaigns();
  // Both look every few seconds.
  for (;;) {
    await b.listCampaigns();
    if ((await a.machines()).every(({ isAwaited }) => !isAwaited)) break;
  }
});

it('a call that fails lets a machine look, too, whether another copy has come', async () => {
  const one = await aDatabase();
  const a = await one.open(aMachine());
  await aRunningCampaign(a, { leads: 9 });
  const { attemptId, phone } = await dialled(a, placed('call_1'));
  // What happens to the connection is no sign of it.
  await one.run(`SET session_replication_role = replica; DELETE FROM attempts;
    UPDATE leads SET state = 'waiting' WHERE state = 'calling';
    UPDATE store SET generation = generation + 1`);

  const poll = { ...SETTLED, analytics: someAnalytics() };
  for (;;) {
    const failure = await a.recordPoll(attemptId, poll).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) break;
    expect(failure).toMatchObject({ code: 'STORE_AWAY' });
  }
  expect(await a.attemptsOf(CAMPAIGN, phone)).toMatchObject([{ attempt: { callId: 'call_1' } }]);
});

it('one that was forgotten and calls all the same first shows its whole journal', async () => {
  const one = await aDatabase();
  const a = await one.open(aMachine());
  await aRunningCampaign(a, { leads: 9 });
  await dialled(a, placed('call_1'));
  const [{ id } = { id: '' }] = await a.machines();
  await a.forgetMachine(id);

  await claimedOne(a);
  expect(await a.machines()).toMatchObject([{ id, isAwaited: false }]);
});

it('an older copy that looks like the database itself is found by a journal, and then all show theirs', async () => {
  const one = await aDatabase();
  const [here, there] = [aMachine(), aMachine()];
  const [a, b] = [await one.open(here), await one.open(there)];
  await aRunningCampaign(a, { leads: 9 });
  const copy = await one.copy();
  const lost = [await dialled(a, placed('call_1')), await dialled(b, placed('call_2'))];
  // As after a copy of the disk.
  const peek = await copy.open(aMachine());
  await peek.close();
  await copy.run('UPDATE machines SET checked = generation FROM store');

  const first = await copy.open(here);
  expect(first.recovered).toBe(1);
  await copy.pauseIsOver();
  expect(await first.claim(aClaim())).toMatchObject(NOW_AWAITED);
  const second = await copy.open(there);
  expect(second.recovered).toBe(1);
  await copy.pauseIsOver();
  const next = [await claimedOne(first), await claimedOne(second)];
  const phones = [...lost, ...next].map(({ phone }) => phone);
  expect(new Set(phones).size).toBe(4);
});

it('a person says that a copy was put back: all machines at work compare their journals again', async () => {
  const one = await aDatabase();
  const [a, b] = [await one.open(aMachine()), await one.open(aMachine())];
  await aRunningCampaign(a, { leads: 9 });
  await dialled(b, placed('call_1'));
  await a.wasRestored();
  expect(await a.claim(aClaim())).toMatchObject(NOW_AWAITED);
  await one.pauseIsOver();
  await claimedOne(b);
  await claimedOne(a);
});

it('a connection that is made again and leads to another copy is noticed before the next call', async () => {
  const one = await aDatabase();
  const a = await one.open(aMachine());
  await aRunningCampaign(a, { leads: 9 });
  const before = await dialled(a, placed('call_1'));
  await one.run("UPDATE store SET copy = 'another'");
  await endConnections(one.name);

  expect(await a.claim(aClaim())).toMatchObject(NOW_AWAITED);
  await one.pauseIsOver();
  const next = await claimedOne(a);
  expect(Number(next.attemptId.slice(1))).toBeGreaterThan(1_000_000);
  expect(next.phone).not.toBe(before.phone);
});

it('a journal that is gone ends all calls', async () => {
  const one = await aDatabase();
  const here = aMachine();
  const a = await one.open(here);
  await aRunningCampaign(a, { leads: 9 });
  await claimedOne(a);
  rmSync(here);
  await expect(a.claim(aClaim())).rejects.toMatchObject({ code: 'JOURNAL_GONE' });
});

it('a journal in memory is refused', async () => {
  const one = await aDatabase();
  const disk = { ...systemDisk, fileSystemType: () => 0x01021994 };
  await expect(one.open(aMachine(), disk)).rejects.toMatchObject({ code: 'JOURNAL_IN_MEMORY' });
});

const SETTLED = {
  kind: 'settled',
  at: 0,
  callId: 'call_1',
  result: 'answered',
  source: 'derived',
} as const;

/** The path of a new journal. */
const aMachine = () => join(tempFolder(), 'here.dials');

interface ADatabase {
  name: string;
  open(journal: string, disk?: Disk): Promise<ServerStore & { recovered: number }>;
  run(text: string): Promise<void>;
  copy(): Promise<ADatabase>;
  /** As a backup that is put back while machines work. */
  takePlaceOf(other: ADatabase): Promise<void>;
  /** Half a minute after another copy has come. */
  pauseIsOver(): Promise<void>;
}

let databases = 0;

/** A database of its own on the server, as a copy of `template`. */
async function aDatabase(template?: string): Promise<ADatabase> {
  const name = `d${process.pid}_${databases++}`;
  await asServer(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
  onTestFinished(() => asServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const { host, port, ...who } = inject('postgres');
  const address = { hosts: [{ host, port }], ...who, database: name, application_name: name };
  const place = { address, schema: 'callsheet', name: `the database ${name}`, folder: '' };
  if (template === undefined) await migrateServer(place);
  const open = async (journal: string, disk = anyDisk) => {
    let recovered = 0;
    const onRecovered = (count: number) => void (recovered = count);
    const store = await openServerStore({ ...place, journal, mode: 'dial', onRecovered, disk });
    onTestFinished(() => store.close().catch(() => undefined));
    return { ...store, recovered };
  };
  const run = (text: string) => asServer(`SET search_path = callsheet; ${text}`, name);
  return {
    name,
    open,
    run,
    copy: async () => {
      await endConnections(name);
      return aDatabase(name);
    },
    takePlaceOf: async (other) => {
      await endConnections(other.name);
      await asServer(`DROP DATABASE ${other.name}`);
      await asServer(`ALTER DATABASE ${name} RENAME TO ${other.name}`);
    },
    pauseIsOver: () => run('UPDATE store SET begun_at = 0'),
  };
}
