import { useId, useState } from 'preact/hooks';

import type { Resolution } from '../../../../domain/resolution.ts';
import type { Doubt, Doubts, LikelyCall } from '../../../../views/calls.ts';
import type { Done } from '../../../../views/fields.ts';
import { useAction } from '../../api/action.ts';
import { consoleNow, get, path, send } from '../../api/client.ts';
import { everySecond, useLoaded } from '../../api/loaded.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Empty, Loading, ProblemNotice, Said } from '../../parts/notice.tsx';
import { Time } from '../../parts/values.tsx';
import { may } from '../../shell/session.ts';
import type { ShownCampaign } from '../use-campaign.tsx';

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
  const [as, setAs] = useState<Resolution>();
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
            {Date.parse(doubt.heldUntil) > consoleNow() ? (
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
                aria-disabled={asking.isBusy}
                onClick={() => void asking.run()}
              >
                Ask the service
              </button>
            </div>
            <div role="status" class="stack tight">
              {asking.isBusy && <p class="soft">Asking {doubt.service}...</p>}
              {found !== undefined && (
                <Found
                  found={found}
                  onChoose={(id) => {
                    setCallId(id);
                    setAs('placed');
                  }}
                />
              )}
            </div>
            {asking.problem !== undefined && <ProblemNotice problem={asking.problem} />}
          </div>
        )}
      </div>
      {may('operator') && (
        <SettleForm
          campaign={name}
          doubt={doubt}
          as={as}
          onAs={setAs}
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

/** Calls that were perhaps made, the oldest first. */
export function DoubtsTab({ shown }: { shown: ShownCampaign }) {
  const { name } = shown.campaign;
  // How a call may be settled changes with time alone. What somebody types of one stays.
  const doubts = useLoaded(
    (signal, before?: Doubts) => get(path`/campaigns/${name}/doubts`, signal, before),
    [name],
    everySecond,
  );
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

const WAYS: readonly { as: Resolution; text: string; means: string }[] = [
  { as: 'placed', text: 'It was made', means: 'Its results are fetched by its call id.' },
  {
    as: 'not_placed',
    text: 'It was not made',
    means: 'The person waits again, and may be called.',
  },
  {
    as: 'unconfirmed',
    text: 'Nobody can tell',
    means: 'It stays unconfirmed, and nobody is called again for it.',
  },
];

/** Says what is known of a call in doubt. */
function SettleForm({
  campaign,
  doubt,
  as,
  onAs,
  callId,
  onCallId,
  onSettled,
}: {
  campaign: string;
  doubt: Doubt;
  /** What is chosen; undefined: nothing yet. */
  as: Resolution | undefined;
  onAs: (as: Resolution) => void;
  callId: string;
  onCallId: (callId: string) => void;
  onSettled: () => void;
}) {
  const group = useId();
  const [note, setNote] = useState('');
  const [isAsked, setAsked] = useState(false);
  const reason = note.trim() === '' ? {} : { note: note.trim() };
  const settling = useAction(async (body: object) => {
    const answer = await send<Done>('POST', path`/campaigns/${campaign}/doubts/${doubt.attempt}`, {
      ...body,
      ...reason,
    });
    onSettled();
    return answer;
  });
  const { problem } = settling;
  const isAbout = (field: string) => problem?.field === field;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (as === 'not_placed') setAsked(true);
        else if (as === 'placed') void settling.run({ as, callId: callId.trim() });
        else if (as === 'unconfirmed') void settling.run({ as });
      }}
    >
      <fieldset class="settle">
        <legend>What is known of the call?</legend>
        {WAYS.map((way) => {
          const refusal = doubt.refusals[way.as];
          const id = `${group}-${way.as}`;
          return (
            <label key={way.as} class="check">
              <input
                type="radio"
                name={group}
                checked={as === way.as}
                disabled={refusal !== null}
                aria-describedby={id}
                onChange={() => {
                  settling.forget();
                  onAs(way.as);
                }}
              />
              <span>
                {way.text}
                <span class="soft small-text settle-means" id={id}>
                  {refusal === null ? way.means : `Not now: ${refusal}.`}
                </span>
              </span>
            </label>
          );
        })}
      </fieldset>
      {as !== undefined && (
        <>
          {as === 'placed' && (
            <TextField
              label="Call id at the service"
              value={callId}
              onChange={onCallId}
              problem={isAbout('callId') ? problem : undefined}
              autoComplete="off"
              required
            />
          )}
          <TextField
            label={as === 'unconfirmed' ? 'Reason' : 'Reason (may be left empty)'}
            about="For the history, e.g. where it was looked up."
            value={note}
            onChange={setNote}
            problem={isAbout('note') ? problem : undefined}
            autoComplete="off"
            required={as === 'unconfirmed'}
          />
          {problem !== undefined && !isAbout('callId') && !isAbout('note') && !isAsked && (
            <ProblemNotice problem={problem} />
          )}
          <div>
            <button class="button primary" type="submit" aria-disabled={settling.isBusy}>
              Settle this call
            </button>
          </div>
        </>
      )}
      {isAsked && (
        <Confirm
          title={`Was ${doubt.phone} not called?`}
          does="They were not called"
          isDanger
          isBusy={settling.isBusy}
          onYes={() => {
            void settling.run({ as: 'not_placed', confirmed: true }).then(() => {
              setAsked(false);
            });
          }}
          onNo={() => {
            setAsked(false);
          }}
        >
          <p>If they were called all the same, they will be called a second time.</p>
        </Confirm>
      )}
    </form>
  );
}
