import { amount, byteText } from '../parts/amounts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { JobPanel } from '../parts/job-panel.tsx';
import { Notice } from '../parts/notice.tsx';
import { ImportForm } from './import-form.tsx';
import { useImport, type FileImport } from './use-import.ts';

/** Suppresses all numbers of a file: choose it, say how it is read, watch, and see what came of it. */
export function ImportNumbers({
  onClose,
  onImported,
}: {
  onClose: () => void;
  onImported: () => void;
}) {
  const importing = useImport(onImported);
  const { imported, isRunning, job } = importing;
  return (
    <Dialog title="Import a file of numbers" kind="dialog wide" onClose={onClose}>
      {imported === undefined ? (
        <>
          <ImportForm importing={importing} onClose={onClose} />
          {isRunning && <Underway importing={importing} />}
        </>
      ) : (
        <>
          <Notice tone="good">
            {imported.file} is on the list: nobody calls its numbers from now on.
          </Notice>
          <Came of={imported} />
          {job !== undefined && job.messages.length > 1 && (
            <JobPanel job={{ ...job, messages: job.messages.slice(1) }} />
          )}
          <footer class="row tight end">
            <button class="button primary" type="button" onClick={onClose}>
              Done
            </button>
          </footer>
        </>
      )}
    </Dialog>
  );
}

function Underway({ importing: { file, sent, job } }: { importing: FileImport }) {
  if (sent !== undefined && file !== undefined) {
    return (
      <div class="stack tight" role="status">
        <progress
          class="progress"
          aria-label={`Sending ${file.name}`}
          max={Math.max(file.size, 1)}
          value={sent}
        />
        <p class="soft small-text number">
          Sending: {byteText(sent)} of {byteText(file.size)}
        </p>
      </div>
    );
  }
  return job === undefined ? null : <JobPanel job={job} />;
}

function Came({
  of: { added, known, leads, unread },
}: {
  of: NonNullable<FileImport['imported']>;
}) {
  const figures = [
    { text: 'new on the list', figure: added },
    { text: 'were on it already', figure: known },
    { text: 'waiting people ended', figure: leads },
    { text: 'cells without a number', figure: unread },
  ];
  return (
    <dl class="figures">
      {figures.map(({ text, figure }) => (
        <div key={text}>
          <dt>{text}</dt>
          <dd>{amount(figure)}</dd>
        </div>
      ))}
    </dl>
  );
}
