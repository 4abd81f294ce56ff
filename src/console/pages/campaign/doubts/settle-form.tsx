import { useEffect, useId, useState } from 'preact/hooks';
import type { Resolution } from '../../../../domain/resolution.ts';
import type { Doubt } from '../../../../views/doubts.ts';
import type { Done } from '../../../contract/common.ts';
import { useAction } from '../../api/action.ts';
import { path } from '../../api/addresses.ts';
import { send } from '../../api/client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';

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
export function SettleForm({
  campaign,
  doubt,
  callId,
  onCallId,
  onSettled,
}: {
  campaign: string;
  doubt: Doubt;
  callId: string;
  onCallId: (callId: string) => void;
  onSettled: () => void;
}) {
  const group = useId();
  const [as, setAs] = useState<Resolution>();
  const [note, setNote] = useState('');
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (callId !== '' && callId !== doubt.callId) setAs('placed');
  }, [callId]);
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
                  setAs(way.as);
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
            <button class="button primary" type="submit" disabled={settling.isBusy}>
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
