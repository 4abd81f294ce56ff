import { useEffect, useRef, useState } from 'preact/hooks';

import type { Doubts } from '../../../../views/calls.ts';
import { useAction } from '../../api/action.ts';
import { consoleNow, path } from '../../api/client.ts';
import { everySecond, useRead } from '../../api/loaded.ts';
import { upload } from '../../api/uploads.ts';
import { DropZone } from '../../parts/forms/controls.tsx';
import { Empty, Notice, ProblemNotice, Reading, Said } from '../../parts/notice.tsx';
import { Choose, ChooseAll, useChosen } from '../../parts/tables/chosen.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { amount, counted, Time } from '../../parts/values.tsx';
import { fileName } from '../../people/people-filters.tsx';
import { may } from '../../shell/session.ts';
import type { CampaignJobs } from '../campaign-jobs.tsx';
import type { ShownCampaign } from '../use-campaign.tsx';
import { calledIn, SettleForm, type Settled } from './settle-form.tsx';

const CHOOSE = { text: 'Choose', isHidden: true } as const;
const HEADS = ['Person', 'Sent', 'What is known', 'Counts as a call', 'Call id', 'External id'];

/** Calls that were perhaps made, the oldest first; those that are chosen are settled together. */
export function DoubtsTab({ shown, jobs }: { shown: ShownCampaign; jobs: CampaignJobs }) {
  const { name, timezone } = shown.campaign;
  // How a call may be settled changes with time alone. What is chosen and typed stays.
  const doubts = useRead<Doubts>(path`/campaigns/${name}/doubts`, everySecond);
  const shownIds = doubts.value?.items.map(({ attempt }) => attempt) ?? [];
  const marked = useChosen(shownIds);
  const [settled, setSettled] = useState<Settled>();
  if (doubts.value === undefined) return <Reading of={doubts} what="the calls in doubt" />;
  const { items, about, needsYes } = doubts.value;
  const maySettle = may('operator');
  const outcome = settled && <Outcome of={settled} />;
  if (items.length === 0) {
    return (
      <>
        {outcome}
        <Empty title="No call is in doubt">
          <p>
            A call comes here when the answer of the service was lost, so that nobody knows whether
            the person was called. Nobody is called again for it before it is settled.
          </p>
        </Empty>
      </>
    );
  }
  const chosen = items.filter(({ attempt }) => marked.has(attempt));
  return (
    <>
      {outcome}
      <p>{about}</p>
      {maySettle && <ChooseAll shown={shownIds} chosen={marked} />}
      <Table label="Calls in doubt" kind="doubts" heads={maySettle ? [CHOOSE, ...HEADS] : HEADS}>
        {items.map((doubt) => (
          <tr key={doubt.attempt}>
            {maySettle && (
              <td>
                <Choose id={doubt.attempt} what={calledIn(doubt)} chosen={marked} />
              </td>
            )}
            <th scope="row">
              <div class="break">{doubt.name}</div>
              <div class="nowrap number-like">{doubt.phone}</div>
              <a class="small-text" href={path`/campaigns/${name}/people?person=${doubt.person}`}>
                Line {doubt.line}
                {doubt.listPath !== null && ` of ${fileName(doubt.listPath)}`}
              </a>
            </th>
            <td data-label="Sent">
              <Time at={doubt.sentAt} zone={timezone} />
            </td>
            <td class="long">
              {doubt.answered2xx
                ? 'The service took the call'
                : 'Its answer was lost or unreadable'}
              <div class="soft break">
                <Said text={doubt.whatFailed ?? ''} />
              </div>
            </td>
            <td data-label="Counts as a call">
              {Date.parse(doubt.heldUntil) > consoleNow() ? (
                <>
                  until <Time at={doubt.heldUntil} zone={timezone} />
                </>
              ) : (
                'no more'
              )}
            </td>
            <td data-label="Call id" class="break">
              {doubt.callId ?? '–'}
            </td>
            <td data-label="External id" class="break">
              {doubt.externalId}
            </td>
          </tr>
        ))}
      </Table>
      {chosen.length > 0 && (
        <SettleForm
          {...{ campaign: name, chosen, needsYes }}
          onSettled={(report) => {
            setSettled(report);
            marked.choose(shownIds, false);
            doubts.reload();
            shown.changed();
          }}
        />
      )}
      {maySettle && <CallLog jobs={jobs} />}
    </>
  );
}

/** How many were settled, and each that was not, with its reason. */
function Outcome({ of: { report, chosen } }: { of: Settled }) {
  const box = useRef<HTMLDivElement>(null);
  // The form has gone, and with it the place of the keyboard.
  useEffect(() => box.current?.focus(), [report]);
  const { settled, refused, messages } = report;
  const names = new Map(chosen.map((doubt) => [doubt.attempt, calledIn(doubt)]));
  return (
    <div ref={box} tabIndex={-1} role="status">
      <Notice
        tone={refused.length === 0 ? 'good' : 'warn'}
        next={messages.map(({ text }) => (
          <p key={text}>
            <Said text={text} />
          </p>
        ))}
      >
        {counted(settled.length, 'call')} settled
        {refused.length > 0 && `, ${amount(refused.length)} not`}.
        {refused.map(({ attempt, why }) => (
          <p key={attempt} class="small-text break">
            {names.get(attempt)}: <Said text={why} />.
          </p>
        ))}
      </Notice>
    </div>
  );
}

/** Settles calls in doubt by the service's own log of calls; the job shows what it finds, and asks. */
function CallLog({ jobs }: { jobs: CampaignJobs }) {
  const sending = useAction(async (file: File) => {
    const { id } = await upload(file, () => undefined);
    await jobs.begin.run('call-log', { upload: id });
  });
  return (
    <section class="stack tight" aria-labelledby="call-log">
      <h2 id="call-log">By the call log of the service</h2>
      <DropZone
        isForOne
        isDisabled={sending.isBusy}
        title="Drop the call log here"
        about="CSV with columns for number, call id and start time. You see what it says of these calls before any is settled."
        onFiles={([file]) => {
          if (file !== undefined) void sending.run(file);
        }}
      />
      {sending.problem !== undefined && <ProblemNotice problem={sending.problem} />}
    </section>
  );
}
