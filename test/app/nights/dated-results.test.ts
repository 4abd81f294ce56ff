import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeEndedNights } from '../../../src/app/nights/ended-nights.ts';
import { listNights } from '../../../src/app/nights/nights.ts';
import { withNotices } from '../../../src/app/notices/with-notices.ts';
import { writeResultsFile } from '../../../src/app/results/results-file.ts';
import { serveCampaigns } from '../../../src/app/serve/serve-campaigns.ts';
import type { OpenService } from '../../../src/app/services/service.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { WEEKDAYS } from '../../../src/domain/calling/policy.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { Campaign, Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { addCampaign, addLeads } from '../../helpers/campaign-run.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { freshDatabase } from '../../helpers/files/fresh-database.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { Night } from '../../helpers/night.ts';
import { ServiceDouble, type DoubleOptions } from '../../helpers/services/service-double.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ZONE = 'America/New_York';
const at = (text: string) => Date.parse(text);

/** From 22:00 to 02:00 in New York, every day. */
const LATE: Partial<CampaignSettings> = {
  timezone: ZONE,
  hours: { from: '22:00', to: '02:00' },
  policy: {
    ...{ rules: [], holidays: [], unknownZones: [ZONE], zoneOverrides: [], marginMs: 0 },
    hours: { days: WEEKDAYS, from: 22 * 60, to: 2 * 60, timezone: ZONE },
  },
};

/** A database, a service and processes that serve, whose nights pass as fast as the machine can work. */
function aPlace(begin: string, plan: Partial<DoubleOptions> = {}) {
  const night = new Night();
  night.clock.setWall(at(begin));
  const cwd = tempFolder();
  const path = join(cwd, 'callsheet.db');
  freshDatabase(path);
  const opened = openSqliteStore({ path, mode: 'dial' });
  onTestFinished(() => opened.close());
  const store = night.watch(opened);
  const service = new ServiceDouble({ clock: night.clock, ...plan });
  const never = new AbortController().signal;
  const log = createLog('error', { write: () => true });
  const io = fakeWorld({ cwd, clock: night.clock });
  const serve = (stop: AbortSignal) =>
    withNotices(
      { store, flags: {}, log, stop: { dialling: stop, all: never, left: never }, serves: true },
      io,
      (noticeWatch) =>
        serveCampaigns(
          {
            ...{ store, log, noticeWatch, feed: new Map(), onEvent: () => undefined },
            open: () =>
              Promise.resolve({ service, config: { maxCalls: null } } as unknown as OpenService),
            stop: { dialling: stop, all: never, left: never },
          },
          io,
        ),
    );
  return {
    ...{ night, cwd, path, store, service, io },
    file: (name: string) => join(cwd, 'out', name),
    files: () => (existsSync(join(cwd, 'out')) ? readdirSync(join(cwd, 'out')).toSorted() : []),
    rows: (name: string) =>
      readFileSync(join(cwd, 'out', name), 'utf8')
        .trimEnd()
        .split('\n').length - 1,
    text: (name: string) => readFileSync(join(cwd, 'out', name), 'utf8'),
    nights: () => listNights({ campaign: 'spring', db: path, limit: 100 }, io),
    /** Serves for so long from a moment on, and is then stopped. */
    serveFrom: async (moment: string, ms: number) => {
      night.clock.setWall(at(moment));
      const stop = new AbortController();
      const serving = serve(stop.signal);
      await night.sleep(ms);
      stop.abort();
      // Files are written meanwhile, for which the clock does not wait by itself.
      let isOver = false;
      const tick = async () => {
        while (!isOver) await night.clock.sleep(100);
      };
      const ended = serving.finally(() => {
        isOver = true;
      });
      void tick();
      await night.pass(ended);
    },
  };
}

const dated = (cwd: string): Partial<CampaignSettings> => ({
  results: { file: join(cwd, 'out', 'spring-{date}.csv'), format: 'csv' },
});

const doneIn = (text: string) => text.match(/,done,/g)?.length ?? 0;

describe('results with {date}', () => {
  it('have a file for each night, whose calls go on after midnight, also where the clocks are changed', async () => {
    const place = aPlace('2026-03-07T02:00:00Z');
    const settings = { ...LATE, ...dated(place.cwd), concurrency: 1, stop: { calls: 3 } };
    await addCampaign(place.store, { name: 'spring', from: 0, leads: 8, settings });

    // Fri 23:59 to Sat 00:01; nights of these hours change at noon.
    await place.serveFrom('2026-03-07T04:59:00Z', 2 * MINUTE);
    expect(place.files()).toEqual(['spring-2026-03-06.csv', 'spring-2026-03-06.html']);
    await place.serveFrom('2026-03-07T17:01:00Z', MINUTE);
    const [first] = (await place.nights()).items;
    expect(first).toMatchObject({ night: '2026-03-06', made: 3, end: 'budget' });
    const before = statSync(place.file('spring-2026-03-06.csv'));

    // Sun 00:20 EST, in the night in which 02:00 becomes 03:00.
    await addLeads(place.store, 'cmp_spring', { from: 20, leads: 2 });
    await place.serveFrom('2026-03-08T05:20:00Z', 2 * MINUTE);
    // Sun 22:00 EDT to Mon 12:01 EDT: the last night is over while it serves.
    await place.serveFrom('2026-03-09T02:00:00Z', 2 * MINUTE);
    await place.serveFrom('2026-03-09T15:59:00Z', 2 * MINUTE);

    expect(place.files().filter((name) => name.endsWith('.csv'))).toEqual([
      'spring-2026-03-06.csv',
      'spring-2026-03-07.csv',
      'spring-2026-03-08.csv',
    ]);
    expect(statSync(place.file('spring-2026-03-06.csv')).ino).toBe(before.ino);
    expect(
      ['06', '07', '08'].map((day) => doneIn(place.text(`spring-2026-03-${day}.csv`))),
    ).toEqual([3, 6, 9]);
    const { items: nights, totals } = await place.nights();
    expect(nights.map(({ night, made }) => [night, made])).toEqual([
      ['2026-03-06', 3],
      ['2026-03-07', 3],
      ['2026-03-08', 3],
    ]);
    expect(nights.map(({ resultsFile }) => resultsFile)).toEqual(
      ['06', '07', '08'].map((day) => place.file(`spring-2026-03-${day}.csv`)),
    );
    expect(totals).toMatchObject({ nights: 3, made: 9 });
  }, 60_000);

  it('are as they were when a night ended early and a later process finds it over', async () => {
    const place = aPlace('2026-01-05T15:00:00Z');
    const settings = { ...dated(place.cwd), concurrency: 1 };
    await addCampaign(place.store, { name: 'spring', from: 0, leads: 2, settings });
    await place.serveFrom('2026-01-05T15:00:00Z', 2 * MINUTE);
    const written = statSync(place.file('spring-2026-01-05.csv')).ino;

    await place.serveFrom('2026-01-06T15:00:00Z', 2 * MINUTE);

    expect(statSync(place.file('spring-2026-01-05.csv')).ino).toBe(written);
    expect((await place.nights()).items).toMatchObject([{ night: '2026-01-05', end: 'final' }]);
  });
});

/** A night with one call on the line whose process was killed, on the morning after. */
async function aMorning() {
  const place = aPlace('2026-01-05T15:00:00Z', { dial: () => ({ talkMs: 20 * HOUR }) });
  const settings = { ...dated(place.cwd), concurrency: 1 };
  const campaign = await addCampaign(place.store, { name: 'spring', from: 0, leads: 2, settings });
  const { intents } = await place.store.claim({
    ...{ campaignId: campaign.id, want: 1, slots: 1, serviceSlots: null, service: 'main' },
    ...{ fingerprint: 'f', now: at('2026-01-05T15:00:00Z'), owner: place.io.owner },
  });
  for (const { attemptId } of intents)
    await place.store.recordDial(attemptId, {
      ...{ kind: 'placed', callId: 'call_1', nextPollAt: at('2026-01-05T16:00:00Z') },
      ...{ at: at('2026-01-05T15:00:00Z'), detail: 'ok', fingerprint: 'f' },
    });
  place.night.clock.setWall(at('2026-01-06T11:00:00Z'));
  return { ...place, campaign, name: 'spring-2026-01-05.csv' };
}

const STEPS = ['takeNightResults', 'snapshot', 'keepNightFile'] as const;

/** A store whose process is killed at a step. */
function dying(store: Store, step: (typeof STEPS)[number], when: 'before' | 'after'): Store {
  const methods = store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const killed = async (...args: unknown[]) => {
    if (when === 'after') await methods[step]?.(...args);
    throw new Error('killed');
  };
  return { ...store, [step]: killed };
}

/** No process has this pid. */
const GONE = 2 ** 22 + 1;

describe('a run that goes on over the end of a night', () => {
  it('writes the results of that night, once', async () => {
    const place = aPlace('2026-01-05T15:00:00Z');
    const { store, night, io } = place;
    const settings = { ...dated(place.cwd), concurrency: 1 };
    const campaign = await addCampaign(store, { name: 'spring', from: 0, leads: 2, settings });
    const never = new AbortController().signal;
    const stop = { dialling: never, all: never, left: never };
    const log = createLog('error', { write: () => true });

    const run = withNotices({ store, flags: {}, log, stop }, io, async () => {
      await oneMoreCall(store, campaign, night.clock.now());
      await night.clock.sleep(5 * MINUTE);
      night.clock.setWall(at('2026-01-06T09:55:00Z'));
      await night.clock.sleep(30 * MINUTE);
    });
    await night.pass(run);

    expect(place.files()).toEqual(['spring-2026-01-05.csv', 'spring-2026-01-05.html']);
    expect(io.err().match(/Mon 2026-01-05 is over; results/g)).toHaveLength(1);
  });
});

describe('a process that is killed while it writes the results of a night', () => {
  it.each(STEPS.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    'at %s, %s it, is made up for by the next one',
    async (step, when) => {
      const { store, io, file, name, files, nights } = await aMorning();
      const owner = { ...io.owner, pid: GONE };
      await expect(writeEndedNights(dying(store, step, when), { ...io, owner })).rejects.toThrow(
        'killed',
      );

      await writeEndedNights(store, io, true);

      expect(files()).toEqual([name, name.replace('.csv', '.html')]);
      const [night] = (await nights()).items;
      expect(night).toMatchObject({ resultsFile: file(name), end: 'interrupted' });
      expect(night?.resultsAt).not.toBeNull();
    },
  );

  it('and has written them, writes them once', async () => {
    const { store, io, file, name } = await aMorning();
    const owner = { ...io.owner, pid: GONE };
    const world = { ...io, owner };
    const killed = dying(store, 'keepNightFile', 'before');
    await expect(writeEndedNights(killed, world)).rejects.toThrow('killed');
    const written = statSync(file(name)).ino;

    await writeEndedNights(store, io);
    await writeEndedNights(store, io);

    expect(statSync(file(name)).ino).toBe(written);
  });

  it('and has met a file of somebody else, does not take that one for results once it is replaced', async () => {
    const { store, io, cwd, file, name, nights } = await aMorning();
    mkdirSync(join(cwd, 'out'));
    writeFileSync(file(name), 'my notes');
    await writeEndedNights(store, { ...io, owner: { ...io.owner, pid: GONE } });
    writeFileSync(file('notes.tmp'), 'my notes, edited');
    renameSync(file('notes.tmp'), file(name));

    await writeEndedNights(store, io);

    expect((await nights()).items[0]).toMatchObject({ resultsFile: null, resultsAt: null });
    expect(readFileSync(file(name), 'utf8')).toBe('my notes, edited');
  });
});

describe('the file of a night that is over', () => {
  it('is left alone by late results, which go into that of the night that it is', async () => {
    const { store, io, campaign, file, name, files } = await aMorning();
    await writeEndedNights(store, io);
    const written = statSync(file(name)).ino;

    await writeResultsFile(store, campaign, false, io);
    await writeEndedNights(store, io);

    expect(files()).toContain('spring-2026-01-06.csv');
    expect(statSync(file(name)).ino).toBe(written);
  });

  it('is written by one of two processes', async () => {
    const { store, io } = await aMorning();
    await Promise.all([writeEndedNights(store, io), writeEndedNights(store, io)]);
    expect(io.err().match(/is over; results/g)).toHaveLength(1);
  });

  it('does not replace what callsheet did not write, which is told, and tried again later', async () => {
    const { store, io, night, cwd, file, name } = await aMorning();
    mkdirSync(join(cwd, 'out'));
    writeFileSync(file(name), 'my notes\n');
    await writeEndedNights(store, io);
    await writeEndedNights(store, io);
    expect(readFileSync(file(name), 'utf8')).toBe('my notes\n');
    expect(
      io
        .err()
        .replaceAll(/\s+/g, ' ')
        .match(/is not replaced/g),
    ).toHaveLength(1);

    rmSync(file(name));
    night.clock.setWall(night.clock.now() + 20 * MINUTE);
    await writeEndedNights(store, io);
    expect(readFileSync(file(name), 'utf8')).toContain('call_phone');
  });

  it('is written for each night after the last one that has one', async () => {
    const { store, io, night, campaign, files } = await aMorning();
    await writeEndedNights(store, io);
    for (const day of ['06', '07']) {
      const now = at(`2026-01-${day}T15:00:00Z`);
      night.clock.setWall(now);
      await oneMoreCall(store, campaign, now);
    }
    night.clock.setWall(at('2026-01-08T15:00:00Z'));
    await writeEndedNights(store, io);
    expect(files().filter((each) => each.endsWith('.csv'))).toEqual(
      ['05', '06', '07'].map((day) => `spring-2026-01-${day}.csv`),
    );
  });
});

async function oneMoreCall(store: Store, { id }: Campaign, now: number): Promise<void> {
  await addLeads(store, id, { from: new Date(now).getUTCDate() * 10, leads: 1 });
  const { intents } = await store.claim({
    ...{ campaignId: id, want: 1, slots: 9, serviceSlots: null, service: 'main' },
    ...{ fingerprint: 'f', now, owner: { host: 'h', boot: 'b', pid: 1 } },
  });
  for (const { attemptId } of intents)
    await store.recordDial(attemptId, { kind: 'rejected', at: now, detail: 'no' });
}
