import { FastClock } from '../../src/runtime/fast-time.ts';

/** 2026-01-05T15:00:00Z: when every test begins. */
export const START = Date.UTC(2026, 0, 5, 15);

/** Enough turns of the event loop for a woken sleeper to commit something and go to sleep again. */
const TURNS_PER_WAKE = 6;

/** A clock that stands still until a test moves it. */
export class VirtualClock extends FastClock {
  constructor(startAt = START) {
    super(startAt);
  }

  /**
   * Moves both clocks on, waking every sleeper at its own time and in order, those included that go to
   * sleep on the way. What a woken one does over the network is for the test to await.
   */
  async advance(ms: number): Promise<void> {
    const end = this.monotonic() + ms;
    while (this.wakeNext(end)) await turns();
    this.moveTo(end);
    await turns();
  }
}

/** As the system's clock; what the embedded service does takes parts of a millisecond here. */
export class WholeMs extends VirtualClock {
  override now(): number {
    return Math.floor(super.now());
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS_PER_WAKE; i++) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
