// A machine: a folder, a dial journal, and `callsheet serve` in it, which is started again whenever it has ended.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsheet } from '../../soak/processes.mjs';

/** What `serve` says when it has opened the database. */
export const READY = 'Webhooks of main go to ';

/**
 * @param options `name`, `folder`, `url` of the database, `port` of webhooks, `services`: the content of services.yaml, `env`
 * @param tally `exits`: how often a process ended by itself, by its code and first words
 */
export function makeMachine({ name, folder, url, port, services, env }, tally) {
  mkdirSync(join(folder, 'campaigns'), { recursive: true });
  writeFileSync(join(folder, 'campaigns/services.yaml'), JSON.stringify(services));
  let isOver = false;
  let running;
  let life;
  let comesAfterMs = 0;
  let comeNow = () => undefined;
  const pids = [];

  async function live() {
    while (!isOver) {
      if (comesAfterMs > 0)
        await Promise.race([sleep(comesAfterMs), new Promise((resolve) => (comeNow = resolve))]);
      comesAfterMs = 500;
      if (isOver) return;
      const args = ['serve', '--port', String(port), '--db', url, '--log-level', 'warn'];
      running = callsheet(folder, 'serve', args, { env });
      pids.push(running.pid);
      void running.says(READY).then((is) => (machine.isReady = is));
      const { code, signal } = await running.ended;
      machine.isReady = false;
      if (signal === null && !(isOver && code === 0)) {
        const why = `exit ${code}: ${lastWords(running.said.err)}`;
        tally.exits.set(why, (tally.exits.get(why) ?? 0) + 1);
      }
      running = undefined;
    }
  }

  const journals = () => {
    const data = join(folder, 'data');
    const files = readdirSync(data, { recursive: true });
    return files.filter((file) => file.endsWith('.dials')).map((file) => join(data, file));
  };

  const machine = {
    name,
    folder,
    port,
    pids,
    isReady: false,
    /** A fault of a process goes on with it. */
    isBusy: false,
    isRunning: () => running !== undefined,
    start: () => {
      life ??= live();
    },
    /** The address that webhooks come to, as the process says it. */
    webhookPath: async () => {
      while (running === undefined || !(await running.says(READY))) await sleep(100);
      return new RegExp(`${READY}\\S+?(/webhooks/\\S+)`).exec(running.said.err)?.[1];
    },
    /** Ends it, by kill -9 or so that it leaves. @param awayMs it is started again after this, or by `come` */
    end: async (awayMs, signal = 'SIGKILL') => {
      const victim = running;
      if (victim === undefined) return false;
      comesAfterMs = Math.max(1, awayMs);
      victim.kill(signal);
      const ended = await victim.ended;
      return signal === 'SIGKILL' ? ended.signal === signal : ended.code === 0;
    },
    come: () => comeNow(),
    signal: (name) => running?.kill(name) ?? false,
    /** Its id, which the first line of its journal ends in. */
    journalId: () => {
      const [path] = journals();
      const [first] = path === undefined ? [] : readFileSync(path, 'utf8').split('\n');
      return first && /\/([\w.-]+)$/.exec(first)?.[1];
    },
    /** Its journal is gone, as with its disk. */
    loseJournal: () => {
      for (const path of journals()) rmSync(path);
    },
    stop: async () => {
      isOver = true;
      comeNow();
      running?.kill('SIGCONT');
      running?.kill('SIGTERM');
      const late = setTimeout(() => running?.kill('SIGKILL'), 60_000);
      await life;
      clearTimeout(late);
    },
  };
  return machine;
}

/** What it said last, without the time and what to do. */
function lastWords(text) {
  const lines = text.split('\n').map((line) => line.replace(/^\S+ \[\w+\] */, ''));
  const told = lines.findLast((line) => line !== '' && !line.trim().startsWith('next:')) ?? '';
  return told.replaceAll(/:\d{4,5}\b/g, ':PORT').slice(0, 160);
}
