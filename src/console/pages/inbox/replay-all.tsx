import { useState } from 'preact/hooks';
import type { InboxPage, Replayed } from '../../contract/inbox.ts';
import { useAction } from '../api/action.ts';
import { send } from '../api/client.ts';
import { counted } from '../parts/amounts.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { toast } from '../parts/toasts.tsx';
import { may } from '../shell/session.ts';
import { DELIVERY_WORDS } from './delivery-state.tsx';
import { countOf } from './inbox-filters.tsx';

/** Looks at all deliveries of the chosen state again, whatever service they came from. */
export function ReplayAll({
  state,
  counts,
  onReplayed,
}: {
  /** Empty: none is chosen. */
  state: string;
  counts: InboxPage['counts'];
  onReplayed: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const action = useAction(async () => {
    const answer = await send<Replayed>('POST', '/inbox/replay', { state });
    toast(`${counted(answer.count, 'delivery', 'deliveries')} looked at again.`);
    setAsked(false);
    onReplayed();
    return answer;
  });
  const count = countOf(counts, state);
  if (!may('operator') || count === 0) return null;
  const those = `${counted(count, 'delivery', 'deliveries')} (${wordOf(state)})`;
  return (
    <>
      <button
        class="button"
        type="button"
        onClick={() => {
          action.forget();
          setAsked(true);
        }}
      >
        Replay all {those}
      </button>
      {isAsked && (
        <Confirm
          title={`Look at ${those} again?`}
          does="Replay them"
          isBusy={action.isBusy}
          onYes={() => {
            void action.run();
          }}
          onNo={() => {
            setAsked(false);
          }}
        >
          <p>
            They are read as if they had just come, of all services: worth it after a profile was
            mended or a missing call became known. Nobody is called, and nothing counts twice.
          </p>
          {action.problem !== undefined && <ProblemNotice problem={action.problem} />}
        </Confirm>
      )}
    </>
  );
}

function wordOf(state: string): string {
  const words: Readonly<Record<string, { text: string } | undefined>> = DELIVERY_WORDS;
  return words[state]?.text ?? state;
}
