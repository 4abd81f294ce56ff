import { useState } from 'preact/hooks';
import type { Planned } from '../../../contract/drafts.ts';
import type { ProblemBody } from '../../../contract/common.ts';
import { Icon } from '../../parts/icon.tsx';
import { limitOf, StartLimit } from '../../parts/start-limit.tsx';

export interface StartOrder {
  /** False: only import. */
  start: boolean;
  /** A list that another campaign has called is called again. */
  again?: boolean;
  /** Calls at most, see `limitOf`. */
  limit?: number | string | null;
}

/** What can be done with a plan. Real people are called only after a word was typed, which the console asks for. */
export function StartButtons({
  planned: { missing, callNow, callLater, schedule, live, simulated },
  isBusy,
  isRehearsing,
  wasCalledBefore,
  problem,
  onRehearse,
  onStart,
}: {
  planned: Planned;
  isBusy: boolean;
  isRehearsing: boolean;
  wasCalledBefore: boolean;
  /** What is wrong with the limit. */
  problem: ProblemBody | undefined;
  onRehearse: () => void;
  onStart: (order: StartOrder) => void;
}) {
  const isComplete = missing.length === 0;
  const [limit, setLimit] = useState('');
  return (
    <div class="row between step-end">
      <p class="soft">{whoIsCalled({ live, simulated, isComplete, schedule })}</p>
      <div class="row tight">
        <button
          class="button quiet"
          type="button"
          disabled={isBusy || !isComplete}
          title="The campaign is made with its lists; it is started from its page"
          onClick={() => {
            onStart({ start: false });
          }}
        >
          Only import
        </button>
        <button
          class="button"
          type="button"
          disabled={isBusy || isRehearsing || !isComplete}
          title="All its nights against the embedded service: nobody is called"
          onClick={onRehearse}
        >
          <Icon name="replay" />
          Rehearse
        </button>
        <StartLimit value={limit} problem={problem} onChange={setLimit} />
        <button
          class="button primary"
          type="button"
          disabled={isBusy || !isComplete || callNow + callLater === 0}
          onClick={() => {
            const order = { start: true, limit: limitOf(limit) };
            onStart({ ...order, ...(wasCalledBefore && { again: true }) });
          }}
        >
          <Icon name="play" />
          {wasCalledBefore ? 'Call this list again' : 'Start'}
        </button>
      </div>
    </div>
  );
}

function whoIsCalled({
  live,
  simulated,
  isComplete,
  schedule,
}: Pick<Planned, 'live' | 'simulated' | 'schedule'> & { isComplete: boolean }): string {
  if (!isComplete) return 'It can be started when nothing is missing.';
  const when = schedule === null ? '' : ` Calls begin at its schedule, ${schedule}.`;
  if (live) return `Real people are called; you are asked to type a word first.${when}`;
  return `${simulated ? 'The embedded service answers: nobody is called.' : ''}${when}`;
}
