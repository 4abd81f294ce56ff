// The embedded voice service in a process of its own; its parent asks it by messages. Its ledger is the judge.
import { startSimulator } from '../../../dist/simulator/server.js';
import { systemClock } from '../../../dist/runtime/clock.js';

const { seed, key } = JSON.parse(process.argv[2]);
const service = await startSimulator({
  ...{ port: 0, keys: [key], seed, clock: systemClock },
  // The longest call lasts 5.8 s then, most last less than a second.
  timeScale: 150,
  mix: 'warm',
  ...{ capacity: null, rate: null, idempotency: false, state: null },
  unanswered: 'outcome',
  optOuts: 0,
  faults: { 'drop-response': 0.005, 'webhook-lost': 0.4, 'webhook-repeat': 0.1 },
});
process.on('message', ({ target }) => {
  if (target === undefined) process.send({ ledger: service.ledger(), peak: service.peak() });
  else service.sendWebhooksTo(target);
});
process.on('disconnect', () => process.exit());
process.send({ url: service.url });
