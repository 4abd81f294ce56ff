import { useEffect, useState } from 'preact/hooks';

import type { Doubt, Doubts, LikelyCall } from '../../../../views/doubts.ts';
import type { Done } from '../../../contract/common.ts';
import { useAction } from '../../api/action.ts';
import { path } from '../../api/addresses.ts';
import { clockAhead, get, send } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { Empty, Loading, ProblemNotice, Said } from '../../parts/notice.tsx';
import { Time } from '../../parts/times.tsx';
import { may } from '../../shell/session.ts';
import type { ShownCampaign } from '../use-campaign.ts';
import { SettleForm } from './settle-form.tsx';

type LookedUp = Done & { calls: LikelyCall[] };

/** A call in doubt: what is known of it, what the service knows, and how it is settled. */
function DoubtCard({
  doubt,
  shown,
  onSettled,
}: {
  doubt: Doubt;
  shown: ShownCampaign;
  onSettled: () => void;
}) {
  const { name, timezone } = shown.campaign;
  const [found, setFound] = useState<LookedUp>();
  const [callId, setCallId] = useState(doubt.callId ?? '');
  const asking = useAction(async () => {
    setFound(undefined);
    setFound(
      await send<LookedUp>('POST', path`/campaigns/${name}/doubts/${doubt.attempt}/look`, {}),
    );
  });
  return (
    <section class="card padded" aria-label={`Call to ${doubt.phone}`}>
      <header>
        <h2 class="break">{doubt.name === null ? doubt.phone : `${doubt.name}, ${doubt.phone}`}</h2>
        <a class="small-text" href={`${path`/campaigns/${name}`}/people?person=${doubt.person}`}>
          Line {doubt.line}
        </a>
      </header>
      <div class="columns">
        <dl class="facts">
          <dt>Sent</dt>
          <dd>
            <Time at={doubt.sentAt} zone={timezone} /> to {doubt.service}
          </dd>
          <dt>Answer</dt>
          <dd>
            {doubt.answered2xx ? 'the service took the call' : 'lost, or not to be understood'}
          </dd>
          {doubt.whatFailed !== null && (
            <>
              <dt>What failed</dt>
              <dd>{doubt.whatFailed}</dd>
            </>
          )}
          <dt>Slot</dt>
          <dd>
            {Date.parse(doubt.heldUntil) > Date.now() + clockAhead.value ? (
              <>
                held until <Time at={doubt.heldUntil} zone={timezone} />: the call may still be on
                the line
              </>
            ) : (
              'free: the call is over, if there was one'
            )}
          </dd>
          <dt>External id</dt>
          <dd>
            <code>{doubt.externalId}</code>
          </dd>
          {doubt.callId !== null && (
            <>
              <dt>Call id</dt>
              <dd>
                <code>{doubt.callId}</code>
              </dd>
            </>
          )}
        </dl>
        {may('operator') && (
          <div class="stack tight">
            <div>
              <button
                class="button"
                type="button"
                disabled={asking.isBusy}
                onClick={() => void asking.run()}
              >
                Ask the service
              </button>
            </div>
            <div role="status" class="stack tight">
              {asking.isBusy && <p class="soft">Asking {doubt.service}...</p>}
              {found !== undefined && <Found found={found} onChoose={setCallId} />}
            </div>
            {asking.problem !== undefined && <ProblemNotice problem={asking.problem} />}
          </div>
        )}
      </div>
      {may('operator') && (
        <SettleForm
          campaign={name}
          doubt={doubt}
          callId={callId}
          onCallId={setCallId}
          onSettled={onSettled}
        />
      )}
    </section>
  );
}

function Found({ found, onChoose }: { found: LookedUp; onChoose: (callId: string) => void }) {
  return (
    <>
      {found.messages.map(({ text }) => (
        <p key={text} class="break">
          <Said text={text} />
        </p>
      ))}
      {found.calls.map(({ callId, byKey }) => (
        <div key={callId}>
          <button
            class="button small"
            type="button"
            onClick={() => {
              onChoose(callId);
            }}
          >
            It is {byKey ? '' : 'probably '}call {callId}
          </button>
        </div>
      ))}
    </>
  );
}

/** Calls of which it is not known whether they were made, the oldest first. */
export function DoubtsTab({ shown }: { shown: ShownCampaign }) {
  const { name, progress } = shown.campaign;
  const doubts = useLoaded(
    (signal) => get<Doubts>(path`/campaigns/${name}/doubts`, signal),
    [name],
  );
  // Read again in place, so that what somebody types of another call stays.
  useEffect(() => {
    if (doubts.value !== undefined) doubts.reload();
  }, [progress.doubts]);
  if (doubts.value === undefined) {
    return doubts.problem === undefined ? (
      <Loading what="the calls in doubt" />
    ) : (
      <ProblemNotice problem={doubts.problem} />
    );
  }
  const { items, about } = doubts.value;
  if (items.length === 0) {
    return (
      <Empty title="No call is in doubt">
        <p>
          A call comes here when the answer of the service was lost, so that nobody knows whether
          the person was called. Nobody is called again for it before it is settled.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p>{about}</p>
      {items.map((doubt) => (
        <DoubtCard
          key={doubt.attempt}
          doubt={doubt}
          shown={shown}
          onSettled={() => {
            doubts.reload();
            shown.changed();
          }}
        />
      ))}
    </>
  );
}
