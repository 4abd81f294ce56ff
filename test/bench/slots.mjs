// npm run bench:slots: how many of the slots that an operator pays for are in use while people wait, in virtual time: the
// whole product (claims, dials, polls, results, all durable) against a service in this process. Exit 1 when a goal is missed.
//
//   node test/bench/slots.mjs [--part polls,long,refusing,webhooks,list,full] [--slots 50] [--calls 4000] [--seed spring]
import { parseArgs } from 'node:util';
import { check, heading, record } from './measure.mjs';
import { compile } from './polling/compile.mjs';
import { night } from './slots/night.mjs';

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'polls,long,refusing,webhooks,list,full' },
    slots: { type: 'string', default: '50' },
    calls: { type: 'string', default: '4000' },
    seed: { type: 'string', default: 'spring' },
  },
});
const { callMs } = await import(`${compile()}/test/bench/polling/mixture.js`);
const usual = {
  slots: Number(values.slots),
  calls: Number(values.calls),
  seed: values.seed,
  lengthMs: callMs,
};
/** Median of 60 s, mean of 75 s. */
const lognormal = (random) => {
  const [one, other] = [1 - random(), random()];
  const normal = Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  return 60_000 * Math.exp(Math.sqrt(2 * Math.log(75 / 60)) * normal);
};

/** Least % of slots in use by at most so many requests or reads a second; most time compared with the ideal. */
const GOALS = {
  polls: { used: 97, requests: 12 },
  long: { used: 97, requests: 12 },
  refusing: { used: 90 },
  webhooks: { used: 99, requests: 12 },
  list: { used: 98, reads: 1 },
  full: { time: 1.1 },
};
/** Of the night that refuses: % that the best of all schedules reaches, which knows how long calls last. */
const BEST = 91.9;
const CALLS = 'the calls of bench:polling';

const PARTS = {
  polls: async (goal) => say(CALLS, await night(usual), goal),
  long: async (goal) => {
    const found = await night({ ...usual, lengthMs: lognormal });
    say('log-normal calls, median 60 s, mean 75 s', found, goal);
  },
  refusing: async (goal) => {
    const found = await night({ ...usual, perSecond: 3 });
    const baseline = `the best of all schedules ${BEST} %`;
    say(`${CALLS}, refused above 3 requests a second`, found, goal, baseline);
  },
  webhooks: async (goal) => {
    say(`${CALLS}, told by webhooks`, await night({ ...usual, webhooksMs: 200 }), goal);
  },
  list: async (goal) => {
    say(`${CALLS}, with a list of calls`, await night({ ...usual, hasList: true }), goal);
  },
  full: async (goal) => {
    const calls = Math.min(usual.calls, 1_000);
    const kind = { slots: 10, capacity: 5, lengthMs: (random) => 300 + random() * 200 };
    for (const tripMs of [2, 100]) {
      const found = await night({ ...usual, ...kind, calls, floorMs: 10, tripMs });
      // An end is known half a trip later at the earliest, and the next call rings half a trip after that.
      const bound = ((400 + tripMs) / 400).toFixed(2);
      heading(
        `a service of 5 at once, asked for 10, calls of 0.3 to 0.5 s, polling.floor 10ms, answers in ${tripMs} ms: ${bound} of the ideal if each end is seen at once`,
      );
      check('time / the ideal', found.tookMs / ((calls * 400) / 5), goal.time);
      sayHarm(found);
    }
  },
};

console.log(`${values.slots} slots, ${values.calls} calls, seed ${values.seed}`);
let part;
for (part of values.part.split(',')) await PARTS[part](GOALS[part]);

function say(title, found, goal, baseline) {
  const { polls, refusals, delayMs, idleMs } = found;
  heading(
    `${values.slots} slots, ${title}`,
    `: ${(polls / found.calls).toFixed(1)} reads a call, ends found after ${(delayMs / 1_000).toFixed(1)} s, the next call ${((idleMs - delayMs) / 1_000).toFixed(1)} s later, ${refusals} requests refused`,
  );
  check('slots in use', 100 * found.used, goal.used, { unit: '%', least: true, baseline });
  // Dials are not what is saved: a list of calls replaces polls.
  if (goal.requests !== undefined) check('requests a second', found.perSecond, goal.requests);
  if (goal.reads !== undefined) check('reads a second', found.readsPerSecond, goal.reads);
  record({ slots: part, inUse: found.inUse });
  sayHarm(found);
}

function sayHarm({ rangTwice, notCalled, doubts }) {
  check('people called twice, not at all or in doubt', rangTwice + notCalled + doubts, 0);
}
