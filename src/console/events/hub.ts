import { AppError } from '../../runtime/errors.ts';
import { CallRates } from './call-rate.ts';
import { campaignEvents, LATELY_ENDED } from './campaign-events.ts';
import type { ConsoleEvent, EventHub, EventSources } from './events.ts';

/** Counters are read once a second at most, and reading takes at most a fiftieth of the time, of all a fifth. */
const EVERY_MS = 1_000;
const SHARE_OF_TIME = 50;
const SHARE_OF_ALL = 5;
/** Pages that lie open; each costs a socket and some kilobytes. */
export const MOST_STREAMS = 10_500;
/** Campaigns that are read in turn, whoever watches them. */
export const MOST_TOPICS = 200;

interface Topic {
  listeners: Set<(event: ConsoleEvent) => void>;
  /** Sent to whoever comes later, so that a page need not wait for the next change. */
  last: ConsoleEvent | undefined;
  /** The same of the calls that ended last; undefined: none has. */
  calls: CallsEvent | undefined;
  stop: () => void;
}

type CallsEvent = Extract<ConsoleEvent, { event: 'calls' }>;

export function createHub(sources: EventSources): EventHub {
  const { world } = sources;
  const topics = new Map<string | null, Topic>();
  const rates = new CallRates(world.clock);
  let streams = 0;

  const begin = (name: string | null): Topic => {
    const stopping = new AbortController();
    const topic: Topic = {
      listeners: new Set(),
      last: undefined,
      calls: undefined,
      stop: () => {
        stopping.abort();
        topics.delete(name);
      },
    };
    topics.set(name, topic);
    void watch(name, topic, stopping.signal);
    return topic;
  };

  const watch = async (name: string | null, topic: Topic, stop: AbortSignal) => {
    const { clock } = world;
    const read = campaignEvents(name, { ...sources, rates });
    while (!stop.aborted) {
      const begun = clock.monotonic();
      const events = await read().catch((error: unknown) => {
        world.keepStack(error);
        return [];
      });
      for (const event of events) {
        if (event.event === 'calls') topic.calls = withCalls(topic.calls, event);
        else topic.last = event;
        for (const send of topic.listeners) send(event);
      }
      const took = clock.monotonic() - begun;
      const rest = took * Math.max(SHARE_OF_TIME, SHARE_OF_ALL * topics.size);
      await clock.sleep(Math.max(EVERY_MS, rest), stop);
    }
  };

  return {
    rates,
    subscribe: (name, send) => {
      const isNew = !topics.has(name);
      if (streams >= MOST_STREAMS || (isNew && topics.size >= MOST_TOPICS)) {
        throw new AppError('TOO_MANY_STREAMS', 'Too many pages of this console are open.', {
          hint: 'close some, and reload this one',
        });
      }
      streams += 1;
      const topic = topics.get(name) ?? begin(name);
      topic.listeners.add(send);
      if (topic.calls !== undefined) send(topic.calls);
      if (topic.last !== undefined) send(topic.last);
      return () => {
        if (!topic.listeners.delete(send)) return;
        streams -= 1;
        if (topic.listeners.size === 0) topic.stop();
      };
    },
    close: () => {
      for (const topic of topics.values()) topic.stop();
    },
  };
}

function withCalls(before: CallsEvent | undefined, { event, data }: CallsEvent): CallsEvent {
  return { event, data: [...(before?.data ?? []), ...data].slice(-LATELY_ENDED) };
}
