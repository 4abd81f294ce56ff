// What goes wrong in the nights beside kills: another program locks the database, its disk is full, the service gives no
// answer, and its key is changed; on a server instead of the full disk: it crashes, and a machine's way to it is cut. Each is there at an opening and in the middle of a night.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;
const DISK = 'disk';
const DISK_MB = 256;
const KEY_FILE = 'key.txt';
/** Minutes since the opening; night after night, over and over. */
const NIGHTS = [
  [
    { what: 'full', from: -1, to: 4 },
    { what: 'lock', from: 12, to: 15 },
    { what: 'outage', from: 20, to: 32 },
  ],
  [
    { what: 'outage', from: -3, to: 9 },
    { what: 'lock', from: 20, to: 23 },
    { what: 'full', from: 30, to: 36 },
  ],
  // Another key is another account of the embedded service: no call may be open.
  [
    { what: 'key', from: -4, to: 8 },
    { what: 'lock', from: -1, to: 2.5 },
    { what: 'outage', from: 30, to: 36 },
  ],
];
/** On a server, instead of `full`. */
const SERVER_NIGHTS = [
  [
    { what: 'restart', from: -1, to: 1 },
    { what: 'cut', from: 6, to: 10 },
  ],
  [
    { what: 'cut', from: 14, to: 18 },
    { what: 'restart', from: 30, to: 31 },
  ],
  [
    { what: 'restart', from: 12, to: 13 },
    { what: 'cut', from: 18, to: 24 },
  ],
];
/** A process that ends for a full disk or a server that is away may do so until so long after it, real ms. */
const AFTERMATH_MS = 15_000;

/** A small disk of its own for the database; a plain folder, and never a full disk, where nobody may mount one. */
export function makeDisk(folder) {
  const path = join(folder, DISK);
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'none', path], {
      stdio: 'ignore',
    });
  } catch {
    return { isSmall: false, give: () => undefined };
  }
  return { isSmall: true, give: () => execFileSync('umount', ['-l', path]) };
}

/**
 * @param world `folder`, `plan`, `time` (see `timetableOf`), `place` (see places.mjs), `service` (see `serviceOf`)
 * @returns `done`: a promise for the end of all troubles; `counts` of each kind; `explains(real)`: whether a process may
 *   end with exit 5 then
 */
export function makeTrouble({ folder, plan, time, place, service }, tell) {
  const counts = { lock: 0, outage: 0, full: 0, key: 0, restart: 0, cut: 0 };
  const { disk, machines } = place;
  const away = [];
  const explain = (until) => away.push({ from: Date.now(), to: until + AFTERMATH_MS });
  const does = {
    lock: place.lock,
    outage: async (until) => {
      service.signal('SIGSTOP');
      await sleep(until - Date.now());
      service.signal('SIGCONT');
    },
    full: async (until) => {
      const filler = join(folder, DISK, 'filler');
      const { bavail, bsize } = statfsSync(join(folder, DISK));
      explain(until);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
        // What others freed meanwhile.
        writeFileSync(`${filler}-2`, Buffer.alloc(bsize * 1_000));
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
      }
      await sleep(until - Date.now());
      rmSync(filler, { force: true });
      rmSync(`${filler}-2`, { force: true });
    },
    key: async (until) => {
      const key = `soak-${counts.key + 2}`;
      await service.changeKey(key);
      await sleep(Math.max(0, until - Date.now()));
      for (const own of machines) writeFileSync(join(own.folder, KEY_FILE), `${key}\n`);
    },
    restart: async (until) => {
      explain(until);
      await place.restart(until);
    },
    cut: async (until) => {
      explain(until);
      const { proxy } = machines[counts.cut % machines.length];
      // Once its bytes only stay away: it waits for answers, maybe with the lock.
      const isHeld = counts.cut === 1;
      if (isHeld) proxy.hold();
      else proxy.refuse(true);
      await sleep(until - Date.now());
      if (isHeld) proxy.release(false);
      else proxy.refuse(false);
    },
  };
  const all = plan.nights.flatMap(({ opensAt }, n) =>
    [...NIGHTS[n % NIGHTS.length], ...(disk ? [] : SERVER_NIGHTS[n % SERVER_NIGHTS.length])]
      .filter(({ what }) => what !== 'full' || disk?.isSmall)
      .map(async ({ what, from, to }) => {
        const [begins, ends] = [from, to].map((min) => time.realOf(opensAt + min * MINUTE_MS));
        await sleep(Math.max(0, begins - Date.now()));
        await does[what](ends);
        counts[what] += 1;
        tell(`${what}, ${from} to ${to} min after the opening of night ${n + 1}`);
      }),
  );
  return {
    done: Promise.all(all),
    counts,
    explains: (real) => away.some(({ from, to }) => real >= from && real <= to),
  };
}

export { KEY_FILE };

/** The service as a process that can be stopped for a while, or take another key from now on. */
export function serviceOf(first, start) {
  let running = first;
  /** What earlier accounts have rung. */
  const earlier = [];
  return {
    signal: (name) => running.kill(name),
    changeKey: async (key) => {
      earlier.push(...(await running.ledger()).numbers);
      await running.stop();
      running = await start(key);
    },
    ledger: async () => {
      const { numbers } = await running.ledger();
      const all = new Map();
      for (const { phone_number, rings } of [...earlier, ...numbers]) {
        const known = all.get(phone_number) ?? { phone_number, rings: [] };
        all.set(phone_number, { phone_number, rings: [...known.rings, ...rings] });
      }
      return { numbers: [...all.values()] };
    },
    stop: () => running.stop(),
  };
}
