import { byteText } from '../../parts/amounts.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import type { SendingFile } from './use-sending.ts';

/** Files on their way, each with how far it is; those that were refused, with why. */
export function SendingList({ files }: { files: readonly SendingFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="stack tight" role="list" aria-label="Files on their way">
      {files.map((file) => (
        <li key={file.key}>
          {file.problem === undefined ? (
            <Progress file={file} />
          ) : (
            <ProblemNotice
              problem={{ ...file.problem, detail: withName(file) }}
              action={
                <button class="button quiet small" type="button" onClick={file.cancel}>
                  Close
                </button>
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function withName({ name, problem }: SendingFile): string {
  const detail = problem?.detail ?? '';
  return detail.includes(name) ? detail : `${name}: ${detail}`;
}

function Progress({ file: { name, bytes, sent, cancel } }: { file: SendingFile }) {
  const isThere = sent >= bytes;
  return (
    <div class="card sending">
      <div class="stack tight">
        <div class="row between">
          <strong class="break">{name}</strong>
          <span class="soft small-text number">
            {isThere ? 'arriving' : `${byteText(sent)} of ${byteText(bytes)}`}
          </span>
        </div>
        <progress
          class="progress"
          aria-label={`${name} is sent`}
          max={bytes}
          value={Math.min(sent, bytes)}
        />
      </div>
      <button class="button small" type="button" aria-label={`Cancel ${name}`} onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}
