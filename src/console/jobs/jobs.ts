import type { World } from '../../app/world.ts';
import type { StopSignals } from '../../app/run/run-events.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import { timesIn } from '../../text/times.ts';
import type { Job, JobKind, JobResult } from '../../views/jobs.ts';
import { isDefect, problemOf } from '../problems.ts';

/** Work in progress that outlives the request that began it. Kept in memory: it ends with this process. */
export interface Jobs {
  /** Begins a job and returns it at once. `work` gets a world whose questions the page answers. */
  start<K extends JobKind>(order: JobOrder<K>, work: Work<K>): Job;
  get(id: string): Job;
  /** The newest first. */
  list(): Job[];
  /**
   * Answers the question that a job asks. What is done then counts as done by who began the job, so nobody else may say
   * more than no (`text` null).
   */
  answer(id: string, question: number, text: string | null, who: string): Job;
  /**
   * Ends a job as Ctrl-C does in the terminal: mildly first, at once the second time. With a job that calls it ends every
   * other one that calls the same campaign: one may wait for the schedule while another calls at once.
   */
  stop(id: string): Job;
  /** Ends every job that calls the campaign, mildly. */
  endCalls(campaign: string): void;
  /** True while a job of this kind is about it. */
  isBusy(kind: JobKind, about: string): boolean;
  /** True while a job calls the campaign, or will at its time: not while it asks, and not once it was stopped. */
  calls(campaign: string): boolean;
  /** Resolves when every job has ended; questions are answered with no. */
  ended(): Promise<void>;
}

type Work<K extends JobKind> = (world: World, stop: StopSignals) => Promise<JobResult<K>>;

export interface JobOrder<K extends JobKind> {
  kind: K;
  about: string;
  who: string;
}

interface Running {
  job: Job;
  answer: ((text: string | null) => void) | undefined;
  stop: Stop;
  work: Promise<void>;
}

interface Stop {
  signals: StopSignals;
  mildly: () => void;
  now: () => void;
}

/** So many ended jobs can still be looked at. */
const MOST_ENDED = 200;
/** So many of a job's last sentences are kept. */
const MOST_MESSAGES = 500;

/** @param all stops every job, mildly and at once, e.g. at Ctrl-C in the terminal of the console */
export function createJobs(base: World, all: StopSignals): Jobs {
  const jobs = new Map<string, Running>();
  const now = () => timesIn(base.timezone)(base.clock.now());
  let questions = 0;
  let isOver = false;

  const find = (id: string) => {
    const found = jobs.get(id);
    if (found !== undefined) return found;
    throw usageError(
      'JOB_UNKNOWN',
      `There is no job "${id}"; jobs are forgotten when the console ends.`,
      'look at the campaign itself',
    );
  };
  const forgetOld = () => {
    const ended = [...jobs.values()].filter(({ job }) => job.endedAt !== null);
    for (const { job } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED)))
      jobs.delete(job.id);
  };

  return {
    start: ({ kind, about, who }, work) => {
      forgetOld();
      const job = {
        id: base.newId('job'),
        kind,
        about,
        who,
        startedAt: now(),
        endedAt: null,
        state: 'running',
        messages: [],
        progress: null,
        question: null,
        result: null,
        problem: null,
      } as Job;
      const stop = stopOf(all);
      const running: Running = { job, answer: undefined, stop, work: Promise.resolve() };
      jobs.set(job.id, running);
      const ask = (text: string, word: string | null) =>
        new Promise<string | null>((resolve) => {
          if (isOver || stop.signals.dialling.aborted) {
            resolve(null);
            return;
          }
          job.question = { id: ++questions, text, word };
          job.state = 'asking';
          running.answer = (answer) => {
            job.question = null;
            job.state = 'running';
            running.answer = undefined;
            resolve(answer);
          };
        });
      const world = worldOfJob(job, now, base, ask, stop.signals.all);
      const run = async () => {
        try {
          job.result = await work(world, stop.signals);
          job.state = 'done';
        } catch (error) {
          if (isDefect(error)) base.keepStack(error);
          job.problem = problemOf(error);
          job.state = 'failed';
        }
        job.endedAt = now();
        job.progress = null;
      };
      running.work = run();
      return job;
    },
    get: (id) => find(id).job,
    list: () => [...jobs.values()].map(({ job }) => job).toReversed(),
    answer: (id, question, text, who) => {
      const { job, answer } = find(id);
      if (answer === undefined || job.question?.id !== question) {
        throw usageError(
          'QUESTION_OVER',
          'That question was answered already, or is no longer asked.',
          'look at the job again',
        );
      }
      if (text !== null && who !== job.who) {
        throw new AppError('NOT_ALLOWED', `${job.who} is asked, so ${who} does not say yes.`, {
          hint: `let ${job.who} answer, or stop the job and begin one of your own`,
        });
      }
      answer(text);
      return job;
    },
    stop: (id) => {
      const { job, stop: named } = find(id);
      const atOnce = named.signals.dialling.aborted;
      // One that has ended ends no other.
      const withOthers = isOpen(job, 'call', job.about);
      for (const { job: one, answer, stop } of [...jobs.values()]) {
        if (one !== job && !(withOthers && isOpen(one, 'call', job.about))) continue;
        if (atOnce) stop.now();
        else stop.mildly();
        answer?.(null);
      }
      return job;
    },
    endCalls: (campaign) => {
      const open = [...jobs.values()].filter(({ job }) => isOpen(job, 'call', campaign));
      for (const { stop } of open) stop.mildly();
      for (const { answer } of open) answer?.(null);
    },
    isBusy: (kind, about) => [...jobs.values()].some(({ job }) => isOpen(job, kind, about)),
    calls: (campaign) =>
      [...jobs.values()].some(
        ({ job, stop }) =>
          isOpen(job, 'call', campaign) &&
          job.state === 'running' &&
          !stop.signals.dialling.aborted,
      ),
    ended: async () => {
      isOver = true;
      for (const { answer } of jobs.values()) answer?.(null);
      // A job may begin another one, which comes behind it.
      for (const { work } of jobs.values()) await work;
    },
  };
}

const isOpen = (job: Job, kind: JobKind, about: string) =>
  job.endedAt === null && job.kind === kind && job.about === about;

/** The signals of one job: its own stop, or that of all. */
function stopOf(all: StopSignals): Stop {
  const mild = new AbortController();
  const hard = new AbortController();
  return {
    signals: {
      dialling: AbortSignal.any([all.dialling, mild.signal]),
      all: AbortSignal.any([all.all, hard.signal]),
      left: AbortSignal.any([all.left, hard.signal]),
    },
    mildly: () => mild.abort(),
    now: () => hard.abort(),
  };
}

/** A world that tells the job, and asks through it. */
function worldOfJob(
  job: Job,
  now: () => string,
  base: World,
  ask: (text: string, word: string | null) => Promise<string | null>,
  signal: AbortSignal,
): World {
  return {
    ...base,
    user: job.who,
    attended: true,
    tell: (text, kind = 'told') => {
      job.messages.push({ at: now(), text, kind });
      if (job.messages.length > MOST_MESSAGES) job.messages.shift();
    },
    confirm: async (question, word = 'yes') =>
      (await ask(question, word))?.trim().toLowerCase() === word.toLowerCase(),
    ask: async (question) => (await ask(question, null)) ?? undefined,
    progress: (what) => {
      job.progress = { what, done: 0, total: 0 };
      return {
        onProgress: ({ done, total }) => {
          job.progress = { what, done, total };
        },
        stop: () => {
          job.progress = null;
        },
      };
    },
    underway: { signal, kept: undefined, cleanUps: new Set() },
  };
}
