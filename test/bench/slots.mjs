// npm run bench:slots: how many of the slots that an operator pays for are in use while people wait, in virtual time: the
// whole product (claims, dials, polls, results, all durable) against a service in this process. Exit 1 when a goal is missed.
//
//   node test/bench/slots.mjs [--part polls,long,refusing,webhooks,list,full] [--slots 50] [--calls 4000] [--seed spring]
import { parseArgs } from 'node:util';
import { compile } from './compile.mjs';
import { night } from './slots/night.mjs';

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'polls,long,refusing,webhooks,list,full' },
    slots: { type: 'string', default: '50' },
    calls: { type: 'string', default: '4000' },
    seed: { type: 'string', default: 'spring' },
  },
});
const { callMs } = await import(`${compile()}/test/bench/polling-mixture.js`);
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

const PARTS = {
  polls: async () => {
    say('the calls of bench:polling', await night(usual), { used: 0.97, requests: 12 });
  },
  long: async () => {
    const found = await night({ ...usual, lengthMs: lognormal });
    say('log-normal calls, median 60 s, mean 75 s', found, { used: 0.97, requests: 12 });
  },
  refusing: async () => {
    const found = await night({ ...usual, perSecond: 3 });
    say('the calls of bench:polling, refused above 3 requests a second', found, { used: 0.9 });
  },
  webhooks: async () => {
    const found = await night({ ...usual, webhooksMs: 200 });
    say('the calls of bench:polling, told by webhooks', found, { used: 0.99, requests: 12 });
  },
  list: async () => {
    const found = await night({ ...usual, hasList: true });
    say('the calls of bench:polling, with a list of calls', found, { used: 0.98, requests: 1 });
  },
  full: async () => {
    const lengthMs = (random) => 300 + random() * 200;
    const found = await night({
      ...usual,
      slots: 10,
      capacity: 5,
      calls: 1_000,
      lengthMs,
      floorMs: 50,
    });
    const idealMs = (1_000 * 400) / 5;
    console.log('a service of 5 at once, asked for 10, calls of 0.3 to 0.5 s');
    check('time / ideal', found.tookMs / idealMs, 1.1);
    sayHarm(found);
  },
};

console.log(`${values.slots} slots, ${values.calls} calls, seed ${values.seed}`);
for (const part of values.part.split(',')) await PARTS[part]();

function say(title, found, goal) {
  const { polls, refusals, delayMs, idleMs } = found;
  console.log(
    `${title}: ${(polls / found.calls).toFixed(1)} reads a call, ends found after ${(delayMs / 1_000).toFixed(1)} s, the next call ${((idleMs - delayMs) / 1_000).toFixed(1)} s later, ${refusals} requests refused`,
  );
  check('slots in use, %', 100 * found.used, 100 * goal.used, 'least');
  // Dials are not what is saved: a list of calls replaces polls.
  const requests = goal.requests === 1 ? found.readsPerSecond : found.perSecond;
  check(`${goal.requests === 1 ? 'reads' : 'requests'} a second`, requests, goal.requests);
  sayHarm(found);
}

function sayHarm({ rangTwice, notCalled, doubts }) {
  check('people called twice, not at all or in doubt', rangTwice + notCalled + doubts, 0);
}

function check(what, value, goal, most = 'most') {
  const shown = value.toFixed(2);
  if (goal === undefined) {
    console.log(`         ${what}: ${shown}`);
    return;
  }
  const isMet = most === 'least' ? value >= goal : value <= goal;
  if (!isMet) process.exitCode = 1;
  console.log(`  ${isMet ? 'ok    ' : 'MISSED'} ${what}: ${shown} (at ${most} ${goal})`);
}
