import type { ConsoleEvent } from './events.ts';

/** What is made of an event for every stream alike: once, however many there are. */
export function perEvent<Made>(make: (event: ConsoleEvent) => Made): (event: ConsoleEvent) => Made {
  const known = new WeakMap<ConsoleEvent, Made>();
  return (event) => {
    const found = known.get(event) ?? make(event);
    known.set(event, found);
    return found;
  };
}
