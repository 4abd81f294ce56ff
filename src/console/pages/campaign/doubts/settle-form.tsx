import { useId, useState } from 'preact/hooks';

import type { Resolution } from '../../../../domain/resolution.ts';
import type { Doubt, LikelyCall, SettledDoubts } from '../../../../views/calls.ts';
import type { Done } from '../../../../views/fields.ts';
import { useAction } from '../../api/action.ts';
import { path, send } from '../../api/client.ts';
import { Button, Form } from '../../parts/button.tsx';
import { FormDialog, useOver } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { ProblemNotice, Said } from '../../parts/notice.tsx';
import { amount, counted } from '../../parts/values.tsx';

/** What was asked for, and what the console did of it. */
export interface Settled {
  chosen: readonly Doubt[];
  report: Done & SettledDoubts;
}

/** A call by the person's name and number. */
export function calledIn({ name, phone }: Doubt): string {
  return name === null ? phone : `${name}, ${phone}`;
}

const WAYS: readonly { as: Resolution; text: string; means: string }[] = [
  { as: 'placed', text: 'It was made', means: 'Its results are fetched by its call id.' },
  { as: 'not_placed', text: 'It was not made', means: 'They wait again, and may be called.' },
  { as: 'unconfirmed', text: 'Nobody can tell', means: 'Nobody is called again for it.' },
];

/** A call id belongs to one call. */
const ONE_BY_ONE = 'For one call at a time; for several, send the call log of the service below.';

/** Why some of the calls cannot be settled in a way now, as a sentence; empty where all can. */
function notNow(whys: readonly string[], calls: number): string {
  const [why] = whys;
  if (why === undefined) return '';
  const which = whys.length === calls ? '' : ` for ${amount(whys.length)} of ${amount(calls)}`;
  const others = whys.every((other) => other === why) ? '' : '; others for another reason';
  return `Not now${which}: ${why}${others}.`;
}

/** Says what is known of the chosen calls, the same of all. */
export function SettleForm({
  campaign,
  chosen,
  needsYes,
  onSettled,
}: {
  campaign: string;
  /** At least one. */
  chosen: readonly Doubt[];
  /** Real people: it is typed how many may be called a second time. */
  needsYes: boolean;
  onSettled: (settled: Settled) => void;
}) {
  const group = useId();
  const [wanted, setWanted] = useState<Resolution>();
  const [note, setNote] = useState('');
  const [typedIds, setTypedIds] = useState<Readonly<Record<string, string>>>({});
  const { over: isAsked, opens: asks, close } = useOver();
  const [yes, setYes] = useState('');
  const one = chosen.length === 1 ? chosen[0] : undefined;
  const ways = WAYS.map((way) => {
    const whys = chosen.flatMap(({ refusals }) => refusals[way.as] ?? []);
    const isOff = whys.length === chosen.length || (way.as === 'placed' && one === undefined);
    return { ...way, isOff, whys };
  });
  const way = ways.find(({ as, isOff }) => as === wanted && !isOff);
  const count = chosen.length - (way?.whys.length ?? 0);
  const callId = (one && (typedIds[one.attempt] ?? one.callId)) ?? '';
  const settling = useAction(async (confirmed: number) => {
    const attempts = chosen.map(({ attempt }) => attempt);
    const reason = note.trim() === '' ? {} : { note };
    const body = { as: way?.as, attempts, callId, ...reason, confirmed };
    const report = await send<Settled['report']>('POST', path`/campaigns/${campaign}/doubts`, body);
    onSettled({ chosen, report });
  });
  const { problem } = settling;
  const at = (field: string) => (problem?.field === field ? problem : undefined);
  return (
    <section class="card padded" aria-label="Settle the chosen calls">
      {one !== undefined && (
        <AskService
          key={one.attempt}
          {...{ campaign, doubt: one }}
          onFound={(id) => {
            setTypedIds({ ...typedIds, [one.attempt]: id });
            setWanted('placed');
          }}
        />
      )}
      <Form
        does={() => {
          setYes('');
          if (way?.as === 'not_placed' && needsYes) asks(true)();
          else void settling.run(0);
        }}
      >
        <fieldset class="settle">
          <legend>What is known of {one ? calledIn(one) : counted(chosen.length, 'call')}?</legend>
          {ways.map(({ as, text, means, isOff, whys }) => (
            <label key={as} class="check">
              <input
                type="radio"
                name={group}
                checked={way?.as === as}
                disabled={isOff}
                aria-describedby={`${group}-${as}`}
                onChange={() => {
                  settling.forget();
                  setWanted(as);
                }}
              />
              <span>
                {text}
                <span class="soft small-text settle-means" id={`${group}-${as}`}>
                  {as === 'placed' && one === undefined ? ONE_BY_ONE : !isOff && means}{' '}
                  <Said text={notNow(whys, chosen.length)} />
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        {way !== undefined && (
          <>
            {one !== undefined && way.as === 'placed' && (
              <TextField
                label="Call id at the service"
                value={callId}
                onChange={(id) => setTypedIds({ ...typedIds, [one.attempt]: id })}
                problem={at('callId')}
                autoComplete="off"
                required
              />
            )}
            <TextField
              label={way.as === 'unconfirmed' ? 'Reason' : 'Reason (may be left empty)'}
              about="For the history, e.g. where it was looked up."
              value={note}
              onChange={setNote}
              problem={at('note')}
              autoComplete="off"
              required={way.as === 'unconfirmed'}
            />
            {problem !== undefined && !isAsked && (at('callId') ?? at('note')) === undefined && (
              <ProblemNotice problem={problem} />
            )}
            <div>
              <button class="button primary" type="submit" aria-disabled={settling.isBusy}>
                Settle {one === undefined ? counted(count, 'call') : 'this call'}
              </button>
            </div>
          </>
        )}
      </Form>
      {isAsked && (
        <FormDialog
          title={`${count === 1 ? 'Was' : 'Were'} ${counted(count, 'person', 'people')} not called?`}
          does="They were not called"
          isDanger
          action={{ ...settling, run: () => settling.run(count) }}
          problem={problem}
          onClose={close}
        >
          <p>If they were called all the same, they will be called a second time.</p>
          <TextField
            label={`Type yes ${count} to let them be called again`}
            pattern={`yes ${count}`}
            required
            autoComplete="off"
            value={yes}
            onChange={setYes}
          />
        </FormDialog>
      )}
    </section>
  );
}

type LookedUp = Done & { calls: LikelyCall[] };

/** What the service knows of one call. */
function AskService({
  campaign,
  doubt: { attempt, service },
  onFound,
}: {
  campaign: string;
  doubt: Doubt;
  onFound: (callId: string) => void;
}) {
  const [found, setFound] = useState<LookedUp>();
  const asking = useAction(async () => {
    setFound(undefined);
    setFound(await send<LookedUp>('POST', path`/campaigns/${campaign}/doubts/${attempt}/look`, {}));
  });
  return (
    <div class="stack tight">
      <div>
        <Button action={asking}>Ask the service</Button>
      </div>
      <div role="status" class="stack tight">
        {asking.isBusy && <p class="soft">Asking {service}...</p>}
        {found?.messages.map(({ text }) => (
          <p key={text} class="break">
            <Said text={text} />
          </p>
        ))}
        {found?.calls.map(({ callId, byKey }) => (
          <div key={callId}>
            <Button kind="small" onClick={() => onFound(callId)}>
              It is {byKey ? '' : 'probably '}call {callId}
            </Button>
          </div>
        ))}
      </div>
      {asking.problem !== undefined && <ProblemNotice problem={asking.problem} />}
    </div>
  );
}
