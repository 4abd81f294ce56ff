import { FastTime } from '../../src/runtime/fast-time.ts';
import { VirtualClock } from './clock.ts';

/** A night that passes as fast as the machine can work. */
export class Night extends FastTime<VirtualClock> {
  /** @param stepMs see `FastTime` */
  constructor(stepMs: number | null = null) {
    super(new VirtualClock(), stepMs);
  }
}
