import type { VoiceService } from '../../service/port.ts';
import type { DialRecord, PollRecord, Recorded, Store, SweepCounts } from '../../store/port.ts';

/** Is told what happens to calls, once it is durable. */
export interface CallWatch {
  /** A single call is asked about at the service. */
  polls(callId: string): void;
  dialled(attemptId: string, record: DialRecord): void;
  found(attemptId: string, record: PollRecord, recorded: Recorded): void;
  swept(counts: SweepCounts): void;
}

/** The same store; the watch is told of what is recorded through it. */
export function observedStore(store: Store, watch: CallWatch): Store {
  return {
    ...store,
    recordDial: async (attemptId, record) => {
      const recorded = await store.recordDial(attemptId, record);
      watch.dialled(attemptId, record);
      return recorded;
    },
    recordPoll: async (attemptId, record) => {
      const recorded = await store.recordPoll(attemptId, record);
      watch.found(attemptId, record, recorded);
      return recorded;
    },
    sweep: async (request) => {
      const counts = await store.sweep(request);
      watch.swept(counts);
      return counts;
    },
  };
}

/** The same service; the watch is told of every single call that is read. */
export function observedService(service: VoiceService, watch: CallWatch): VoiceService {
  return {
    ...service,
    readAnalytics: (callId, signal) => {
      watch.polls(callId);
      return service.readAnalytics(callId, signal);
    },
  };
}
