import { useState } from 'preact/hooks';

import type { RehearsalReport as Report } from '../../../views/rehearsal.ts';
import type { Job, JobKind } from '../../../views/jobs.ts';
import { useAction } from '../api/action.ts';
import { answerJob } from '../api/jobs.ts';
import { session } from '../shell/session.ts';
import { amount, counted, Time } from './values.tsx';
import { Button, Form } from './button.tsx';
import { wordOf } from './badge.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { ProblemNotice, Said } from './notice.tsx';
import { Sentences } from './sheet.tsx';
import { Table } from './tables/table.tsx';

/**
 * How far a job is, and what it has told; its question lies over the page, as the terminal would ask it. Only the
 * person who began the job answers it; others read who is asked.
 *
 * @param isQuiet something else on the page shows how far it is: it has no bar, and what it told is folded up
 */
export function JobPanel({ job, isQuiet = false }: { job: Job; isQuiet?: boolean }) {
  const { progress, problem, question, messages } = job;
  return (
    <div class="stack tight">
      {job.endedAt === null && (!isQuiet || progress !== null) && (
        <div class="stack tight" role="status">
          <progress
            class="progress"
            aria-label={progress?.what ?? job.kind}
            {...(progress !== null && progress.total > 0
              ? { max: progress.total, value: progress.done }
              : {})}
          />
          {progress !== null && (
            <p class="soft small-text number">
              {progress.what}
              {progress.total > 0 && `: ${amount(progress.done)} of ${amount(progress.total)}`}
            </p>
          )}
        </div>
      )}
      {problem !== null && <ProblemNotice problem={problem} />}
      {messages.length > 0 &&
        (isQuiet ? (
          <details>
            <summary class="small-text">
              What it has told, {counted(messages.length, 'line')}
            </summary>
            <Messages messages={messages} />
          </details>
        ) : (
          <Messages messages={messages} />
        ))}
      {question !== null &&
        (job.who === session.value?.who ? (
          <JobQuestion key={question.id} job={job} question={question} />
        ) : (
          <p>{job.who} is asked to confirm; nobody is called before that.</p>
        ))}
    </div>
  );
}

function Messages({ messages }: Pick<Job, 'messages'>) {
  return (
    <ul class="stack tight told" role="list" tabIndex={0} aria-label="What it has told">
      {messages.map(({ at, text }, i) => (
        <li key={`${at} ${i}`} class="break small-text">
          <Said text={text} />
        </li>
      ))}
    </ul>
  );
}

/** What a job does, as a heading. */
export const TITLES: Readonly<Partial<Record<JobKind, string>>> = {
  call: 'Calls',
  resume: 'Resuming',
  rehearse: 'Rehearsal',
  collect: 'Fetching results',
  import: 'Importing',
  many: 'Many people at once',
  doubts: 'Calls in doubt in a call log',
};

/** What a job asks. A word that has to be typed is typed, not clicked: real people are called then. */
function JobQuestion({ job, question }: { job: Job; question: NonNullable<Job['question']> }) {
  const [typed, setTyped] = useState('');
  // What the job has told stands in its panel; it is not told once more.
  const answering = useAction((text: string | null) => answerJob(job, text).then(() => undefined));
  const { word } = question;
  const isRight = word === null || typed.trim().toLowerCase() === word.toLowerCase();
  return (
    <Dialog
      title={`${TITLES[job.kind] ?? job.kind}: please confirm`}
      onClose={() => void answering.run(null)}
    >
      <Form does={() => isRight && answering.run(typed)}>
        <Messages messages={job.messages.slice(-8)} />
        <TextField label={question.text} value={typed} onChange={setTyped} autoComplete="off" />
        {answering.problem !== undefined && <ProblemNotice problem={answering.problem} />}
        <footer class="row tight end">
          <Button onClick={() => void answering.run(null)}>
            {['many', 'doubts'].includes(job.kind) ? 'Leave it' : 'No, call nobody'}
          </Button>
          <Button kind="primary" type="submit" disabled={!isRight} aria-disabled={answering.isBusy}>
            Confirm
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}

/** What would happen, night by night; nobody was called. */
export function RehearsalReport({ report, zone }: { report: Report; zone: string }) {
  return (
    <div class="stack">
      <Sentences lines={[report.ending, ...report.never, ...report.advice]} />
      {report.nights.length > 0 && (
        <Table
          label="Nights of the rehearsal"
          heads={[
            'Night',
            'First call',
            'Last call',
            { text: 'Calls', isNumber: true },
            { text: 'Reached', isNumber: true },
            'Results',
          ]}
        >
          {report.nights.map((night) => (
            <tr key={night.night}>
              <th scope="row" class="nowrap">
                {night.night}
              </th>
              <td>
                <Time at={night.firstCallAt} zone={zone} part="time" />
              </td>
              <td>
                <Time at={night.lastCallAt} zone={zone} part="time" />
              </td>
              <td class="number">{amount(night.calls)}</td>
              <td class="number">{amount(night.reached)}</td>
              <td class="long">
                {Object.entries(night.results)
                  .map(([result, count]) => `${wordOf(result)} ${amount(count)}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
