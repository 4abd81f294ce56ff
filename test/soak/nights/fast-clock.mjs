// Loaded before callsheet (`node --import`): its clock shows the time of a timetable, which the environment names, and
// all that waits on it waits as long by that. The program itself is the compiled one, and knows nothing of it.
import { timetableOf } from './timetable.mjs';

const { systemClock } = await import(new URL('../../../dist/runtime/clock.js', import.meta.url));

const { at, realOf } = timetableOf(JSON.parse(process.env.SOAK_TIMETABLE));
const { after } = systemClock;
/** Finer than `Date.now()`: a real ms may be a minute here. */
const real = () => performance.timeOrigin + performance.now();
/** Timers are late by up to this anyway on a busy machine; without it those of idle days would keep it busy. */
const SHORTEST_MS = 4;
/**
 * Limits of connections and commands, which take their real time: answers of 10, 15, 30 and 60 s. Nothing else that
 * matters here waits for exactly so long.
 */
const REAL = new Set([10_000, 15_000, 30_000, 60_000]);

let last;
let isAgain = false;
function now() {
  if (!isAgain) last = Math.round(at(real()));
  isAgain = false;
  return last;
}

Object.assign(systemClock, {
  now,
  monotonic: () => at(real()),
  after: (ms, work) => after(REAL.has(ms) ? ms : realDelay(ms), work),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = after(realDelay(ms), wake);
      signal?.addEventListener('abort', wake, { once: true });
    }),
});

function realDelay(ms) {
  if (!(ms > 0)) return 0;
  const now = real();
  return Math.max(SHORTEST_MS, realOf(at(now) + ms) - now);
}

/**
 * A server is refused whose clock differs by 2 s, and between the nights that is a third of a real ms: less than an
 * answer takes. So it is as late as it is asked, and as it is compared. Its clock itself follows the timetable.
 */
const { Wire } = await import(new URL('../../../dist/store/postgres/wire.js', import.meta.url));
const { ask } = Wire.prototype;
Wire.prototype.ask = function askInTime(question) {
  const answer = ask.call(this, question);
  if (question.statements?.some(({ text }) => text?.includes('server_version_num'))) {
    answer.rows[0][answer.columns.indexOf('now')] = last;
    isAgain = true;
  }
  return answer;
};
