import type { ProblemBody } from '../../../contract/common.ts';
import type { Upload } from '../../../contract/uploads.ts';
import { pageOrigin, query } from '../../api/addresses.ts';

/**
 * Sends one file as it is. XMLHttpRequest, as `fetch` does not tell how much of a body is on its way.
 *
 * @param onSent told how many bytes have left
 */
export function sendFile(
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Upload | ProblemBody | 'cancelled'> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `${pageOrigin}/api/v1/uploads${query({ name: file.name })}`);
    request.upload.addEventListener('progress', ({ loaded }) => {
      onSent(loaded);
    });
    request.addEventListener('load', () => {
      resolve(answerOf(request, file));
    });
    request.addEventListener('error', () => {
      resolve(broken(file));
    });
    request.addEventListener('abort', () => {
      resolve('cancelled');
    });
    signal.addEventListener('abort', () => {
      request.abort();
    });
    request.send(file);
  });
}

export function isSignedOut({ code }: ProblemBody): boolean {
  return code === 'NOT_SIGNED_IN';
}

function answerOf({ responseText }: XMLHttpRequest, file: File): Upload | ProblemBody {
  try {
    return JSON.parse(responseText) as Upload | ProblemBody;
  } catch {
    return broken(file);
  }
}

function broken({ name }: File): ProblemBody {
  return {
    type: 'urn:callsheet:CONNECTION_LOST',
    title: 'connection lost',
    status: 0,
    code: 'CONNECTION_LOST',
    detail: `${name} did not arrive: the connection broke, or the file was changed meanwhile.`,
    hint: 'send it again; nothing of it was kept',
  };
}
