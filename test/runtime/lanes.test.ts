import { describe, expect, it } from 'vitest';
import { Lanes } from '../../src/runtime/lanes.ts';

describe('lanes', () => {
  it('are taken from the moment a task is put in', () => {
    const lanes = new Lanes(3);

    lanes.start(() => new Promise(() => undefined));
    lanes.start(() => new Promise(() => undefined));

    expect(lanes.free).toBe(1);
  });

  it('tell that one is free, in the order of registration, once it is', async () => {
    const lanes = new Lanes(1);
    const told: [string, number][] = [];
    const free = new Promise<void>((resolve) => {
      lanes.onFree(() => told.push(['first', lanes.free]));
      lanes.onFree(() => {
        told.push(['second', lanes.free]);
        resolve();
      });
    });

    lanes.start(() => Promise.resolve());
    expect(told).toEqual([]);
    await free;

    expect(told).toEqual([
      ['first', 1],
      ['second', 1],
    ]);
  });

  it('run no more tasks at once than there are', async () => {
    const lanes = new Lanes(2);
    let running = 0;
    let most = 0;
    const allDone = new Promise<void>((resolve) => {
      let done = 0;
      lanes.onFree(() => {
        if (++done === 6) resolve();
      });
    });
    for (let task = 0; task < 6; task++) {
      lanes.start(async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      });
    }
    await allDone;

    expect(most).toBe(2);
    expect(lanes.free).toBe(2);
  });

  it('are told to be free when there are more of them', () => {
    const lanes = new Lanes(1);
    const told: number[] = [];
    lanes.start(() => new Promise(() => undefined));
    lanes.onFree(() => told.push(lanes.free));

    lanes.resize(3);

    expect(told).toEqual([2]);
  });

  it('are left to end where there are fewer of them, and then none is free', async () => {
    const lanes = new Lanes(3);
    const ends: (() => void)[] = [];
    for (let task = 0; task < 3; task++) {
      lanes.start(
        () =>
          new Promise((resolve) => {
            ends.push(resolve);
          }),
      );
    }
    await Promise.resolve();

    lanes.resize(1);

    const free = [lanes.free];
    for (const end of ends) {
      const ended = new Promise<void>((resolve) => {
        lanes.onFree(resolve);
      });
      end();
      await ended;
      free.push(lanes.free);
    }
    expect(free).toEqual([0, 0, 0, 1]);
  });
});
