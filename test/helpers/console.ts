import { rmSync } from 'node:fs';
import { openConsoleStore } from '../../src/app/access/listening.ts';
import { createToken } from '../../src/app/access/sessions.ts';
import { addUser } from '../../src/app/access/users.ts';
import { startConsole, type ConsoleRequest } from '../../src/console/console.ts';
import type { Job } from '../../src/views/jobs.ts';
import type { Role } from '../../src/store/console.ts';
import type { Io } from '../../src/cli/io.ts';
import { createLog } from '../../src/runtime/log.ts';
import { fakeWorld } from './fake-io.ts';
import { tempFolder } from './files/temp.ts';

/** A console on a temporary folder, and requests to it with a token of each role. */
export type TestConsole = Awaited<ReturnType<typeof startTestConsole>>;

/** The password of the users that tests add. */
export const PASSWORD = 'four words in a row';

const HERE: ConsoleRequest['at'] = {
  ...{ host: '127.0.0.1', port: 0, names: [], behindProxy: false, tls: null, flags: '--' },
};

export async function startTestConsole(
  given: {
    /** Kept afterwards; default: a temporary one, removed by `close`. */
    folder?: string;
    io?: Partial<Io>;
    dials?: ConsoleRequest['dials'];
    at?: Partial<ConsoleRequest['at']>;
    mostUploadBytes?: number;
    /** A services file. */
    services?: string;
    /** Users with the password PASSWORD, by name. */
    users?: Record<string, Role>;
  } = {},
) {
  const folder = given.folder ?? tempFolder(() => undefined);
  const world = fakeWorld({ cwd: folder, ...given.io });
  const stop = { dialling: new AbortController(), all: new AbortController() };
  const tokens: Partial<Record<Role, string>> = {};
  const access = await openConsoleStore({}, world);
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    // Of a folder that was a console's before, the tokens are made anew.
    await access.removeToken(role);
    tokens[role] = (await createToken(access, { name: role, role }, world)).token;
  }
  for (const [name, role] of Object.entries(given.users ?? {}))
    await addUser(access, { name, role, password: PASSWORD }, world);
  await access.close();
  const log = createLog('silent', process.stderr);
  const running = await startConsole(
    {
      at: { ...HERE, ...given.at },
      db: undefined,
      services: given.services,
      dials: given.dials ?? 'here',
      mostUploadBytes: given.mostUploadBytes ?? 100_000_000,
      version: '0.0.0',
    },
    {
      log,
      stop: {
        dialling: stop.dialling.signal,
        all: stop.all.signal,
        left: stop.all.signal,
      },
    },
    world,
  );
  const { url, link } = running;

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    {
      role = 'operator',
      headers = {},
    }: { role?: Role | null; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(role !== null && { authorization: `Bearer ${tokens[role] ?? ''}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  /** The JSON of a successful answer; anything else fails the test with what was said. */
  const json = async <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    role: Role = 'operator',
  ): Promise<T> => {
    const answer = await ask(method, path, body, { role });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  /** Waits until a job has ended, or asks; answers its questions with `answers`, one after the other. */
  const jobEnd = async (id: string, answers: string[] = []): Promise<Job> => {
    // At first after ms, as most jobs are short; a long one is not asked about a hundred times.
    for (let pauseMs = 5; ; pauseMs = Math.min(1.5 * pauseMs, 50)) {
      const job = await json<Job>('GET', `/api/v1/jobs/${id}`);
      if (job.endedAt !== null) return job;
      const answer = job.question === null ? undefined : answers.shift();
      if (job.question !== null && answer === undefined) return job;
      if (job.question !== null)
        await json('POST', `/api/v1/jobs/${id}/answer`, { question: job.question.id, answer });
      await world.clock.sleep(pauseMs);
    }
  };
  return {
    folder,
    world,
    url,
    link,
    tokens,
    ask,
    json,
    jobEnd,
    close: async () => {
      stop.dialling.abort();
      stop.all.abort();
      await running.close();
      if (given.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
