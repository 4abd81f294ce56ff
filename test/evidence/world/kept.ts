import type { DialRecord, Evidence, PollRecord, Recorded, Store } from '../../../src/store/port.ts';

/** Calls that the store has said to have kept, and those whose analytics it has. */
export class Kept {
  readonly placed: Set<string>;
  readonly settled: Set<string>;

  constructor(placed: Iterable<string> = [], settled: Iterable<string> = []) {
    this.placed = new Set(placed);
    this.settled = new Set(settled);
  }

  copy(): Kept {
    return new Kept(this.placed, this.settled);
  }
}

/** The same store, which is taken at its word: what it says is kept must come out again. */
export function takenAtItsWord(
  store: Store,
  kept: () => Kept,
  onSettled: (callId: string) => void,
): Store {
  const note = async (recorded: Promise<Recorded>, of: 'placed' | 'settled', callId: string) => {
    const result = await recorded;
    if (result === 'moved') kept()[of].add(callId);
    if (result === 'moved' && of === 'settled') onSettled(callId);
    return result;
  };
  const recordDial = (attemptId: string, answer: DialRecord) => {
    const recorded = store.recordDial(attemptId, answer);
    return answer.kind === 'placed' ? note(recorded, 'placed', answer.callId) : recorded;
  };
  const recordPoll = (attemptId: string, look: PollRecord) => {
    const recorded = store.recordPoll(attemptId, look);
    return look.kind === 'settled' ? note(recorded, 'settled', look.callId) : recorded;
  };
  const recordEvidence = (attemptId: string, evidence: Evidence) =>
    note(store.recordEvidence(attemptId, evidence), 'placed', evidence.callId);
  const own: Partial<Store> = { recordDial, recordPoll, recordEvidence };
  return new Proxy(store, {
    get: (target, name) => (Reflect.get(own, name) ?? Reflect.get(target, name)) as unknown,
  });
}
