import { useEffect, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { surveyed } from '../../contract/drafts.ts';
import type { Job } from '../../contract/jobs.ts';
import { useAction } from '../api/action.ts';
import { pageOrigin, path, query } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { amount, counted } from '../parts/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { JobPanel } from '../parts/job-panel.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';
import { DropBox } from './drop-box.tsx';
import type { StepProps } from './use-draft.ts';

type SurveyedList = z.infer<typeof surveyed>['lists'][number];

const KINDS = { rejected: 'refused', duplicate: 'duplicate', suppressed: 'suppressed' } as const;

/** How many rows are taken, and which not and why; mended rows can be dropped here. */
export function RowsStep({ draft, state }: StepProps) {
  const [id, setId] = useState<string>();
  const begin = useAction(async () => {
    setId((await send<Job>('POST', path`/drafts/${draft.id}/survey`, {})).id);
  });
  const lists = JSON.stringify([draft.uploads, draft.lists, draft.settings['country']]);
  useEffect(() => void begin.run(), [draft.id, lists]);
  const job = useJob(id);
  const found = job?.state === 'done' ? (job.result as z.infer<typeof surveyed> | null) : undefined;
  return (
    <section class="stack">
      {begin.problem !== undefined && <ProblemNotice problem={begin.problem} />}
      {job !== undefined && found == null && (
        <div class="card padded">
          <h2>Reading the rows</h2>
          <JobPanel job={job} />
        </div>
      )}
      {found?.lists.map((list) => (
        <ListRows key={list.upload} list={list} draftId={draft.id} />
      ))}
      {found != null && found.lists.some(({ rejected }) => rejected > 0) && (
        <div class="card padded">
          <DropBox
            label="Drop the mended rows here"
            about="The file of refused rows, corrected: it joins the lists of this campaign."
            onSent={(sent) => {
              state.change(({ uploads }) => ({
                uploads: [...uploads, ...sent.map(({ id: one }) => one)],
              }));
            }}
          />
        </div>
      )}
    </section>
  );
}

function ListRows({ list, draftId }: { list: SurveyedList; draftId: string }) {
  const rejects = `${pageOrigin}/api/v1${path`/drafts/${draftId}/rejects`}${query({ upload: list.upload })}`;
  return (
    <div class="card padded">
      <header>
        <h2 class="break">{list.name}</h2>
        {list.rejects > 0 && (
          <a class="button small" href={rejects} download>
            <Icon name="download" />
            {counted(list.rejects, 'refused row')} as a file
          </a>
        )}
      </header>
      <dl class="figures">
        <Figure name="Rows" count={list.rows} note="in the list" />
        <Figure
          name="Good"
          count={list.good}
          note={list.mended > 0 ? `${amount(list.mended)} of them mended` : 'will be leads'}
        />
        <Figure name="Refused" count={list.rejected} note="not taken" />
        <Figure name="Duplicates" count={list.duplicates} note="there already" />
        <Figure name="Suppressed" count={list.suppressed} note="nobody may call" />
      </dl>
      {list.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <Said text={warning} />
        </Notice>
      ))}
      {list.notes.map((note) => (
        <p key={note} class="soft">
          <Said text={note} />
        </p>
      ))}
      {list.reasons.map((reason) => (
        <details key={`${reason.kind} ${reason.code}`} class="reason">
          <summary>
            {counted(reason.count, 'row')} {KINDS[reason.kind]}:{' '}
            {reason.rows[0]?.why ?? reason.code}
          </summary>
          <ReasonRows reason={reason} headers={list.headers} />
        </details>
      ))}
    </div>
  );
}

function Figure({ name, count, note }: { name: string; count: number; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {amount(count)}
        <div class="note">{note}</div>
      </dd>
    </div>
  );
}

function ReasonRows({
  reason,
  headers,
}: {
  reason: SurveyedList['reasons'][number];
  headers: readonly string[];
}) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="The first of these rows">
      <table class="table">
        <thead>
          <tr>
            <th scope="col" class="number">
              Line
            </th>
            <th scope="col">Why</th>
            {headers.map((header, i) => (
              <th key={i} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reason.rows.map(({ line, cells, why }) => (
            <tr key={line}>
              <td class="number">{line}</td>
              <td class="why">{why}</td>
              {headers.map((_, i) => (
                <td key={i} class="break">
                  {cells[i]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
