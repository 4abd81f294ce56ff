import { useEffect, useRef, useState } from 'preact/hooks';

import type { SuppressionImported } from '../../../views/suppression.ts';
import type { Job } from '../../../views/jobs.ts';
import type { Upload } from '../../../views/lists.ts';
import { useAction, type Action } from '../api/action.ts';
import { send } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { forgetUpload, upload } from '../api/uploads.ts';
import { toast } from '../parts/notice.tsx';

/** A file on its way to the suppression list. */
export interface FileImport {
  file: File | undefined;
  /** Bytes that were sent; undefined: nothing is being sent. */
  sent: number | undefined;
  choose: (file: File) => void;
  /** Sends the file, unless the console has it already, and suppresses its numbers. */
  start: Action<[order: object]>;
  job: Job | undefined;
  isRunning: boolean;
  /** What came of it; null: it is not done. */
  imported: SuppressionImported | null;
}

/**
 * The file stays at the console when an import was refused, so that it is tried again without being sent again. When
 * nobody needs it any more, it is deleted.
 */
export function useImport(onImported: () => void): FileImport {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const [jobId, setJobId] = useState<string>();
  const kept = useRef<Upload>();
  const over = useRef(new AbortController());
  const job = useJob(jobId);

  const forget = () => {
    over.current.abort();
    over.current = new AbortController();
    if (kept.current !== undefined) void forgetUpload(kept.current.id);
    kept.current = undefined;
  };
  const start = useAction(async (order: object) => {
    if (file === undefined) return;
    setJobId(undefined);
    setSent(0);
    try {
      kept.current ??= await upload(file, setSent, over.current.signal);
    } finally {
      setSent(undefined);
    }
    const { id } = await send<Job>('POST', '/suppression/import', {
      ...order,
      upload: kept.current.id,
    });
    setJobId(id);
  });
  const isDone = job?.state === 'done';
  useEffect(() => {
    if (!isDone) return;
    // The import has deleted it.
    kept.current = undefined;
    onImported();
  }, [isDone]);
  const isRunning = start.isBusy || (jobId !== undefined && (job?.endedAt ?? null) === null);
  const atEnd = useRef<() => void>();
  atEnd.current = () => {
    // An import that goes on when the dialog is closed still reads the file.
    if (sent !== undefined || !isRunning) forget();
    if (sent !== undefined && file !== undefined)
      toast(`${file.name} was not sent: none of its numbers is suppressed.`, 'warn');
  };
  useEffect(() => () => atEnd.current?.(), []);
  return {
    file,
    sent,
    choose: (chosen) => {
      forget();
      setJobId(undefined);
      start.forget();
      setFile(chosen);
    },
    start,
    job,
    isRunning,
    imported: job?.kind === 'suppress' ? job.result : null,
  };
}
