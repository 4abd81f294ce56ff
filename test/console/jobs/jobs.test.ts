import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/app/world.ts';
import { createJobs } from '../../../src/console/jobs/jobs.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

function someJobs() {
  const stop = new AbortController();
  const { signal } = stop;
  const world = fakeWorld({ cwd: tempFolder() });
  return { stop, world, jobs: createJobs(world, { dialling: signal, all: signal, left: signal }) };
}

const order = { kind: 'resume', about: 'spring', who: 'ann' } as const;
const asked = async (world: Pick<World, 'confirm'>, question = 'Sure?') => ({
  changed: await world.confirm(question),
});

describe('a job', () => {
  it('asks what the terminal would ask, and goes on with the typed word alone', async () => {
    for (const [typed, said] of [
      ['yes', true],
      ['Yes ', true],
      ['y', false],
      [null, false],
    ] as const) {
      const { jobs } = someJobs();
      const job = jobs.start(order, (world) => asked(world, 'This calls 3 real people.'));
      expect(job).toMatchObject({ state: 'asking', question: { word: 'yes' } });
      jobs.answer(job.id, job.question?.id ?? 0, typed, 'ann');
      await jobs.ended();
      expect(job).toMatchObject({ state: 'done', result: { changed: said }, question: null });
    }
  });

  it('takes no second answer to a question', async () => {
    const { jobs } = someJobs();
    const job = jobs.start(order, (world) => asked(world));
    const question = job.question?.id ?? 0;
    jobs.answer(job.id, question, 'yes', 'ann');
    expect(() => jobs.answer(job.id, question, 'yes', 'ann')).toThrow(/answered already/);
    await jobs.ended();
  });

  it("goes on with nobody else's word, who may only say no", async () => {
    const { jobs } = someJobs();
    const job = jobs.start(order, (world) => asked(world));
    const question = job.question?.id ?? 0;
    expect(() => jobs.answer(job.id, question, 'yes', 'ben')).toThrow(/ann is asked/);
    expect(job.state).toBe('asking');
    jobs.answer(job.id, question, null, 'ben');
    await jobs.ended();
    expect(job.result).toEqual({ changed: false });
  });

  it('that another one begins is waited for, too, and a question that comes late is answered no', async () => {
    const { jobs } = someJobs();
    let other: Job | undefined;
    jobs.start(order, async (world) => {
      await world.clock.sleep(0);
      other = jobs.start(order, async (late) => {
        await late.clock.sleep(0);
        return asked(late);
      });
      return null;
    });
    await jobs.ended();
    expect(other).toMatchObject({ state: 'done', result: { changed: false } });
  });

  it('keeps what was told, and how it failed', async () => {
    const { jobs } = someJobs();
    const job = jobs.start(order, (world) => {
      world.tell('Reading.');
      return Promise.reject(new AppError('LIST_EMPTY', 'It is empty.', { hint: 'give another' }));
    });
    await jobs.ended();
    expect(job).toMatchObject({
      state: 'failed',
      messages: [{ text: 'Reading.', kind: 'told' }],
      problem: { code: 'LIST_EMPTY', detail: 'It is empty.', hint: 'give another' },
    });
  });

  it('says nothing of a defect but that there is one', async () => {
    const { jobs } = someJobs();
    const job = jobs.start(order, () => Promise.reject(new TypeError('x is not a function')));
    await jobs.ended();
    expect(JSON.stringify(job)).not.toContain('not a function');
    expect(job.problem?.code).toBe('DEFECT');
  });

  it('answers no when it is stopped, and stops mildly before it stops at once', async () => {
    const { jobs, world } = someJobs();
    const seen: boolean[][] = [];
    const job = jobs.start(order, async (world, stop) => {
      const said = await world.confirm('Sure?');
      seen.push([said, stop.dialling.aborted, stop.all.aborted]);
      await new Promise((resolve) => {
        stop.all.addEventListener('abort', resolve);
      });
      return null;
    });
    jobs.stop(job.id);
    await world.clock.sleep(0);
    jobs.stop(job.id);
    await jobs.ended();
    expect(seen).toEqual([[false, true, false]]);
  });

  it('asks nothing any more once the console stops', async () => {
    const { jobs, stop } = someJobs();
    stop.abort();
    const job = jobs.start(order, (world) => asked(world));
    await jobs.ended();
    expect(job.result).toEqual({ changed: false });
  });

  it('is forgotten once two hundred others have ended', async () => {
    const { jobs } = someJobs();
    const first = jobs.start(order, () => Promise.resolve(null));
    for (let n = 0; n < 201; n++) {
      jobs.start(order, () => Promise.resolve(null));
      await jobs.ended();
    }
    expect(() => jobs.get(first.id)).toThrow(/no job/);
  });

  describe('that calls a campaign', () => {
    /** Begins a job that calls and goes on until it is stopped at once, and says how it is being stopped. */
    const calling = (jobs: ReturnType<typeof createJobs>, about: string) => {
      const how = { job: undefined as Job | undefined, mildly: false, atOnce: false };
      how.job = jobs.start({ kind: 'call', about, who: 'ann' }, async (_world, stop) => {
        stop.dialling.addEventListener('abort', () => (how.mildly = true));
        await new Promise<void>((resolve) => {
          stop.all.addEventListener('abort', () => {
            how.atOnce = true;
            resolve();
          });
        });
        return null;
      });
      return how as typeof how & { job: Job };
    };
    const stops = (...all: { mildly: boolean; atOnce: boolean }[]) =>
      all.map(({ mildly, atOnce }) => [mildly, atOnce]);

    it('takes those with it that call the same one, as mildly as it is stopped itself', () => {
      const { jobs } = someJobs();
      const waits = calling(jobs, 'spring');
      const calls = calling(jobs, 'spring');
      const other = calling(jobs, 'autumn');
      expect(jobs.calls('spring')).toBe(true);
      jobs.stop(calls.job.id);
      expect(stops(waits, calls, other)).toEqual([
        [true, false],
        [true, false],
        [false, false],
      ]);
      expect([jobs.calls('spring'), jobs.calls('autumn')]).toEqual([false, true]);
      // The first Stop of this one, though another one has stopped it before: the second for both.
      jobs.stop(waits.job.id);
      expect(stops(waits, calls)).toEqual([
        [true, true],
        [true, true],
      ]);
    });

    it('is stopped no harder by the first Stop of one that began after it was stopped', () => {
      const { jobs } = someJobs();
      const before = calling(jobs, 'spring');
      jobs.stop(before.job.id);
      const after = calling(jobs, 'spring');
      jobs.stop(after.job.id);
      expect(stops(before, after)).toEqual([
        [true, false],
        [true, false],
      ]);
    });

    it('ends no successor when its page stops it once more after its end', async () => {
      const { jobs, world } = someJobs();
      const ended = calling(jobs, 'spring');
      jobs.stop(ended.job.id);
      jobs.stop(ended.job.id);
      await world.clock.sleep(0);
      expect(ended.job.endedAt).not.toBeNull();
      const next = calling(jobs, 'spring');
      jobs.stop(ended.job.id);
      expect(stops(next)).toEqual([[false, false]]);
    });
  });
});
