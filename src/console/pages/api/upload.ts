import type { Upload } from '../../../views/lists.ts';
import { contentOf, noAnswer, pageOrigin, path, query, send } from './client.ts';

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
    request.upload.addEventListener('progress', ({ loaded }) => {
      onProgress(loaded);
    });
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      contentOf<Upload>(new Response(responseText, { status, statusText })).then(resolve, reject);
    });
    request.addEventListener('error', () => {
      reject(noAnswer('PUT'));
    });
    request.addEventListener('abort', () => {
      reject(new DOMException('The upload was broken off.', 'AbortError'));
    });
    signal?.addEventListener('abort', () => {
      request.abort();
    });
    request.send(file);
  });
}

/** Deletes what was sent; that it is not there any more is as good. */
export async function forgetUpload(id: string): Promise<void> {
  await send('DELETE', path`/uploads/${id}`).catch(() => undefined);
}
