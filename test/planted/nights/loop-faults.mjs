// Deliberate mistakes in loops that sleep and in what ends them: see ../faults.mjs for what the fields mean.
const ONE_READING = ['test/collect/polling/one-reading.test.ts'];
const POLLER = 'src/collect/polling/poller.ts';
const WAIT = 'await this.#wakeup.wait(Math.min(restMs, this.#due.othersEveryMs), signal);';

const SERVED = ['test/app/serve/serve-campaigns.test.ts'];

export const LOOP_FAULTS = [
  {
    title: 'the poller reads twice whether a list is due, and waits for a lane that nobody holds',
    file: POLLER,
    text: WAIT,
    replacement: 'await this.#wakeup.wait(this.#bulk.searchDueIn > 0 ? restMs : null, signal);',
    tests: ONE_READING,
    named: 'moves on at every reading',
  },
  {
    title: 'the poller asks the rate limiter twice, and waits for what the second answer allows',
    file: POLLER,
    text: 'return turns > 0 ? this.#due.othersEveryMs : TURN_AGAIN_MS;',
    replacement:
      'return (service.roomWithin?.(TURN_WITHIN_MS) ?? 1) > 0 ? this.#due.othersEveryMs : TURN_AGAIN_MS;',
    tests: ONE_READING,
    named: 'had no room for',
  },
  {
    title: 'the poller sleeps for as long as the clock was set back',
    file: POLLER,
    text: WAIT,
    replacement: 'await this.#wakeup.wait(restMs, signal);',
    tests: ONE_READING,
    named: 'was set back during its query',
  },
  {
    title: 'the poller believes that no call is open, though it asked before dialling ended',
    file: 'src/collect/polling/poll-queue.ts',
    text: 'return askedSinceDraining && busy',
    replacement: 'return draining && busy',
    tests: ONE_READING,
    named: 'asks again',
  },
  {
    title: 'a run is over while another poller still writes',
    file: 'src/run-campaign.ts',
    text: '  await Promise.allSettled(works);\n',
    replacement: '',
    tests: ['test/run-campaign.test.ts'],
    named: 'ends only when both',
  },
  {
    title: 'a run that the operator had left before it began goes on',
    file: 'src/app/run/watched-run.ts',
    text: 'if (stop.left.aborted) onLeft();',
    replacement: 'if (false as boolean) onLeft();',
    tests: ['test/app/run/watched-run.test.ts'],
    named: 'had left before',
  },
  {
    title: 'one count that fails ends the whole process',
    file: 'src/app/run/count-leads.ts',
    text: 'read(last).catch(world.keepStack)',
    replacement: 'read(last)',
    tests: ['test/app/run/watched-run.test.ts'],
    named: 'count that fails',
  },
  {
    title: 'a run that is left ends at a count that fails, before its calls are recorded',
    file: 'src/app/run/watched-run.ts',
    text: '    leaving.catch(() => undefined);\n',
    replacement: '',
    tests: ['test/app/run/watched-run.test.ts'],
    named: 'records its calls',
  },
  {
    title: 'a failed look over the campaigns ends serve',
    file: 'src/app/serve/serve-campaigns.ts',
    text: 'failed(error);\n      return false;',
    replacement: 'throw error;',
    tests: ['test/app/serve/serve-campaigns.test.ts'],
    named: 'outlives',
  },
  {
    title: 'a disk that has failed does not end serve',
    file: 'src/app/monitoring/pulse.ts',
    text: "'STORE_IO_FAILED', ",
    replacement: '',
    tests: ['test/app/serve/serve-campaigns.test.ts'],
    named: 'ends once a write has failed',
  },
  {
    title: 'a run that begins under a lock ends with it',
    file: 'src/app/places/databases.ts',
    text: "lockOf(path, patienceIn(world)).outwait(() => openStore(path, 'dial', world, more))",
    replacement: "Promise.resolve(openStore(path, 'dial', world, more))",
    tests: ['test/e2e/kills/locked-at-start.test.ts'],
  },
  {
    title: 'a served campaign rests for as long as the clock was set back',
    file: 'src/app/serve/rests.ts',
    text: 'Math.abs(now - rest.at) >= REST_MS',
    replacement: 'now - rest.at >= REST_MS',
    tests: ['test/app/serve/rests.test.ts'],
  },
  {
    title: 'one campaign that cannot be looked after holds up all the others of a server',
    file: 'src/app/serve/serve-campaigns.ts',
    text: 'if (isOfDatabase(error)) throw error;',
    replacement: 'throw error;',
    tests: SERVED,
    named: 'calls the other campaigns',
  },
  {
    title: 'results that could not be written once are never written',
    file: 'src/app/serve/serve-one.ts',
    text: 'if (tried !== null && world',
    replacement: 'if (tried === -1 && world',
    tests: SERVED,
    named: 'once it can',
  },
  {
    title:
      'a server goes on with a refused key, and leaves the campaign paused after it was replaced',
    file: 'src/app/serve/watch-keys.ts',
    text: '!(await isUsed(campaign)),',
    replacement: 'used.has(campaign.id) && !(await isUsed(campaign)),',
    tests: SERVED,
    named: 'goes on with a campaign that was paused for its key',
  },
  {
    title: 'a key file that cannot be looked at once is never read again',
    file: 'src/app/serve/service-pool.ts',
    text: 'return messageOf(error);',
    replacement: 'throw error;',
    tests: ['test/app/serve/service-pool.test.ts'],
    named: 'keeps the client while',
  },
];
