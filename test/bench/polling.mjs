// npm run bench:polling: what polling calls costs and how late their results are, in virtual time: 40,000
// calls of the mixture in polling/mixture.ts, a hundred at once, planned by the product's own plan, which
// begins with nothing learned. Compared with the best of all schedules, which knows every call beforehand.
// Exit 1 when a goal is missed.
//
//   node test/bench/polling.mjs [--calls 40000] [--seed spring]
import { parseArgs } from 'node:util';
import { check, heading } from './measure.mjs';
import { compile } from './polling/compile.mjs';

/** Polls a call, s of delay, cost compared with the best; with webhooks: polls a call, s for 95 %. */
const GOALS = { polls: 4.2, delay: 9, cost: 1.15, told: { polls: 1.4, delay: 3 } };
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '40000' },
    seed: { type: 'string', default: 'spring' },
  },
});
const { play } = await import(`${compile()}/test/bench/polling/model.js`);
const night = { calls: Number(values.calls), seed: values.seed };

console.log(`${values.calls} calls, seed ${values.seed}`);
const alone = play({ ...night, webhooks: null });
say('polls alone', alone);
console.log(`  the best schedule costs ${alone.bestCost.toFixed(2)} polls a call`);
check('polls a call', alone.polls, GOALS.polls);
check('mean delay', alone.meanDelayMs / 1_000, GOALS.delay, { unit: 's' });
check('cost / best possible', alone.cost / alone.bestCost, GOALS.cost);

const told = play({ ...night, webhooks: { share: 0.97, meanMs: 750 } });
say('97 % told by webhooks, after 0.75 s on average', told);
console.log('  where a webhook is only a hint, each brings one poll more');
check('polls a call', told.polls, GOALS.told.polls);
check('95 % settled within', told.p95DelayMs / 1_000, GOALS.told.delay, { unit: 's' });

function say(title, { polls, meanDelayMs, p95DelayMs, p99DelayMs, cost }) {
  const seconds = [meanDelayMs, p95DelayMs, p99DelayMs].map((ms) => (ms / 1_000).toFixed(2));
  heading(
    title,
    `: ${polls.toFixed(2)} polls a call; delay ${seconds[0]} s on average, 95 % within ${seconds[1]} s, 99 % within ${seconds[2]} s; cost ${cost.toFixed(2)} polls`,
  );
}
