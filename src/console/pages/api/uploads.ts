import { useEffect, useRef, useState } from 'preact/hooks';

import type { Problem } from '../../../views/fields.ts';
import type { Upload } from '../../../views/lists.ts';
import { contentOf, noAnswer, pageOrigin, path, query, send } from './client.ts';
import { problemOf } from './loaded.ts';

/**
 * Sends a file, and tells how much of it was sent, which `fetch` does not. The console keeps it for a day.
 *
 * @param onProgress told bytes
 * @param signal breaks it off; nothing is kept then
 * @throws Refusal
 */
export function upload(
  file: File,
  onProgress: (sent: number) => void,
  signal?: AbortSignal,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `${pageOrigin()}/api/v1/uploads${query({ name: file.name })}`);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      contentOf<Upload>(new Response(responseText, { status, statusText })).then(resolve, reject);
    });
    request.addEventListener('error', () => reject(noAnswer('PUT')));
    request.addEventListener('abort', () =>
      reject(new DOMException('The upload was broken off.', 'AbortError')),
    );
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** Deletes what was sent; that it is not there any more is as good. */
export async function forgetUpload(id: string): Promise<void> {
  await send('DELETE', path`/uploads/${id}`).catch(() => undefined);
}

/** A file on its way to the console, or one that was refused. */
export interface SendingFile {
  key: number;
  name: string;
  bytes: number;
  sent: number;
  problem: Problem | undefined;
  /** Ends it; nothing of it is kept. Of a file that was refused: forgets it. */
  cancel: () => void;
}

export interface Sending {
  files: readonly SendingFile[];
  add: (files: readonly File[]) => void;
}

let keys = 0;

/**
 * Sends files one after the other, until the page that sends them is left.
 *
 * @param onSent called once all files that were added have been dealt with, with those that arrived; `isWhole`: no
 *   file was refused or taken back
 */
export function useSending(onSent: (uploads: Upload[], isWhole: boolean) => void): Sending {
  const [files, setFiles] = useState<readonly SendingFile[]>([]);
  const waiting = useRef<{ key: number; file: File; over: AbortController }[]>([]);
  const isSending = useRef(false);
  const newest = useRef(onSent);
  newest.current = onSent;
  const shown = useRef(files);
  shown.current = files;
  useEffect(
    () => () => {
      for (const { cancel } of shown.current) cancel();
    },
    [],
  );

  const change = (key: number, to: Partial<SendingFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const forget = (key: number) => setFiles((all) => all.filter((one) => one.key !== key));

  const sendAll = async () => {
    const uploads: Upload[] = [];
    let isWhole = true;
    for (let next = waiting.current.shift(); next !== undefined; next = waiting.current.shift()) {
      const { key, file, over } = next;
      try {
        over.signal.throwIfAborted();
        const onProgress = (sent: number) => change(key, { sent });
        uploads.push(await upload(file, onProgress, over.signal));
        forget(key);
      } catch (error) {
        isWhole = false;
        const cancel = () => forget(key);
        if (!over.signal.aborted) change(key, { problem: problemOf(error), cancel });
      }
    }
    isSending.current = false;
    if (uploads.length > 0) newest.current(uploads, isWhole);
  };

  return {
    files,
    add: (added) => {
      const orders = added.map((file) => ({ key: ++keys, file, over: new AbortController() }));
      waiting.current.push(...orders);
      setFiles((all) => [
        ...all,
        ...orders.map(({ key, file, over }) => ({
          ...{ key, name: file.name, bytes: file.size, sent: 0, problem: undefined },
          cancel: () => {
            over.abort();
            forget(key);
          },
        })),
      ]);
      if (isSending.current) return;
      isSending.current = true;
      void sendAll();
    },
  };
}
