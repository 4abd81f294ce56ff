import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/runtime/errors.ts';
import {
  DIAL_FAULTS,
  parseFaults,
  READ_FAULTS,
  WEBHOOK_FAULTS,
} from '../../../src/simulator/wire/faults.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aService, containing, phone } from '../service.ts';
import type { TestService } from '../service.ts';

describe('the text of faults', () => {
  it('gives every fault its probability', () => {
    expect(parseFaults('drop-request=0.01, 500-after=0.02,,read-html=1')).toEqual({
      'drop-request': 0.01,
      '500-after': 0.02,
      'read-html': 1,
    });
    expect(parseFaults('')).toEqual({});
    for (const name of [...DIAL_FAULTS, ...READ_FAULTS, ...WEBHOOK_FAULTS]) {
      expect(parseFaults(`${name}=0.5`)).toEqual({ [name]: 0.5 });
    }
  });

  it('may add up to exactly one in tenths', () => {
    expect(parseFaults('429=0.1,503=0.2,delay=0.3,no-id=0.4')).toHaveProperty('no-id', 0.4);
  });

  it.each([
    ['drop-requst=0.1', 'SIMULATOR_FAULT_UNKNOWN', 'Faults: "drop-requst" is not a fault;'],
    ['toString=0.1', 'SIMULATOR_FAULT_UNKNOWN', 'Faults: "toString" is not a fault;'],
    ['503', 'SIMULATOR_FAULT_PROBABILITY', 'Faults, 503: "" is not a probability;'],
    ['503=1.5', 'SIMULATOR_FAULT_PROBABILITY', 'Faults, 503: "1.5" is not a probability;'],
    ['503=often', 'SIMULATOR_FAULT_PROBABILITY', 'Faults, 503: "often" is not a probability;'],
    ['429=0.6,503=0.6', 'SIMULATOR_FAULT_PROBABILITY', 'Faults of dials add up to 1.2;'],
    ['read-500=1,read-html=1', 'SIMULATOR_FAULT_PROBABILITY', 'Faults of reads add up to 2;'],
    [
      'webhook-lost=1,webhook-late=1',
      'SIMULATOR_FAULT_PROBABILITY',
      'Faults of webhooks add up to 2;',
    ],
  ])('is refused with place, value and what is allowed: %s', (text, code, start) => {
    const error = errorOf(() => parseFaults(text));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code, exitCode: 2, hint: containing('=0.01') });
    expect((error as AppError).message).toContain(start);
    expect((error as AppError).message).toContain('allowed');
  });
});

describe('a dial with a fault', () => {
  it.each(['drop-request', 'drop-response'] as const)(
    'gets no answer at all with %s, and only a lost answer means a ring',
    async (fault) => {
      const service = await aService({ faults: { [fault]: 1 } });
      await expect(service.dial(phone(0))).rejects.toThrow();
      expect(service.ledger()).toHaveLength(fault === 'drop-response' ? 1 : 0);
    },
  );

  it.each([
    ['429', 429, 'rate_limited', 0],
    ['500-before', 500, 'internal', 0],
    ['503', 503, 'unavailable', 0],
    ['500-after', 500, 'internal', 1],
  ] as const)(
    'is answered with %s as %i %s and rings %i times',
    async (fault, status, code, rings) => {
      const service = await aService({ faults: { [fault]: 1 } });
      const answer = await service.dial(phone(0));
      expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status, code });
      expect(answer.headers['retry-after']).toBe(fault === '429' ? '1' : undefined);
      expect(service.ledger()).toHaveLength(rings);
    },
  );

  it('gets half of an answer of the announced length with cut-body, after the ring', async () => {
    const service = await aService({ faults: { 'cut-body': 1 } });
    await expect(service.dial(phone(0))).rejects.toThrow(/closed|terminated|aborted/);
    expect(service.ledger()).toHaveLength(1);
  });

  it('gets a 201 that is not JSON with bad-json, after the ring', async () => {
    const service = await aService({ faults: { 'bad-json': 1 } });
    const answer = await service.dial(phone(0));
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(() => answer.json as unknown).toThrow(SyntaxError);
    expect(answer.text).toContain(service.ledger()[0]?.rings[0]?.call_id);
  });

  it('gets a 201 without the call id with no-id, after the ring', async () => {
    const service = await aService({ faults: { 'no-id': 1 } });
    const answer = await service.dial(phone(0));
    expect(answer.status).toBe(201);
    expect(answer.json).not.toHaveProperty('call_id');
    expect(answer.json.phone_number).toBe(phone(0));
    expect(answer.text).not.toContain(service.ledger()[0]?.rings[0]?.call_id);
  });

  it('is answered late with delay, though the phone rings at once', async () => {
    const clock = new ObservedClock();
    const service = await aService({ clock, timeScale: 10, faults: { delay: 1 } });
    let isAnswered = false;
    const answer = service.dial(phone(0)).then((received) => {
      isAnswered = true;
      return received;
    });
    const sleepMs = await clock.firstSleep;
    expect(sleepMs).toBeGreaterThanOrEqual(100);
    expect(sleepMs).toBeLessThanOrEqual(1_000);
    expect(service.ledger()).toHaveLength(1);
    await clock.advance(sleepMs - 1);
    expect(isAnswered).toBe(false);
    await clock.advance(1);
    const { status, json } = await answer;
    expect(status).toBe(201);
    expect(json.call_id).toBe(service.ledger()[0]?.rings[0]?.call_id);
  });

  it('that is being delayed does not keep the service from closing', async () => {
    const clock = new ObservedClock();
    const service = await aService({ clock, faults: { delay: 1 } });
    const answer = service.dial(phone(0)).then(
      () => 'answered',
      () => 'cut',
    );
    await clock.firstSleep;
    await service.close();
    expect(['answered', 'cut']).toContain(await answer);
    expect(clock.sleeping).toBe(0);
  });

  it('that is refused for its own sake meets no fault', async () => {
    const service = await aService({ faults: { '500-before': 1 } });
    expect((await service.dial('212')).status).toBe(422);
  });
});

describe('a read with a fault', () => {
  it.each(['/v1/agents', 'analytics'])('gets no answer with read-drop: %s', async (what) => {
    const service = await aService({ faults: { 'read-drop': 1 } });
    const path = await pathOf(service, what);
    await expect(service.get(path)).rejects.toThrow();
  });

  it.each([
    ['read-500', 500, 'application/json'],
    ['read-html', 200, 'text/html'],
    ['read-bad-json', 200, 'application/json'],
  ] as const)('gets %s as %i with %s, completed or not', async (fault, status, type) => {
    const service = await aService({ faults: { [fault]: 1 }, fixedCallMs: 1_000 });
    const analytics = await pathOf(service, 'analytics');
    for (const path of ['/v1/agents', analytics]) {
      const answer = await service.get(path);
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toContain(type);
      if (status === 200) expect(() => answer.json as unknown).toThrow(SyntaxError);
    }
    await service.clock.advance(1_000);
    expect((await service.get(analytics)).status).toBe(status);
    expect((await service.get('/ledger')).json.calls).toBe(1);
  });
});

describe('faults', () => {
  it('come as often as their probability says and are the same for the same seed', async () => {
    const faults = parseFaults('429=0.2,503=0.1,read-500=0.3');
    const statuses = async (seed: string, backwards: boolean, count = 120) => {
      const service = await aService({ seed, faults });
      const found = new Map<string, number[]>();
      const numbers = Array.from({ length: count }, (_, index) => phone(index));
      for (const number of backwards ? numbers.toReversed() : numbers) {
        const first = await service.dial(number);
        found.set(number, [first.status, (await service.dial(number)).status]);
      }
      return found;
    };
    const forwards = await statuses('one', false);
    expect(await statuses('one', true)).toEqual(forwards);
    expect([...(await statuses('two', false, 20)).values()]).not.toEqual(
      [...forwards.values()].slice(0, 20),
    );
    const all = [...forwards.values()].flat();
    expect(share(all, 429)).toBeCloseTo(0.2, 1);
    expect(share(all, 503)).toBeCloseTo(0.1, 1);
    expect([...forwards.values()].some(([first, second]) => first !== second)).toBe(true);
  });
});

function share(statuses: number[], status: number): number {
  return statuses.filter((each) => each === status).length / statuses.length;
}

async function pathOf(service: TestService, what: string): Promise<string> {
  if (what !== 'analytics') return what;
  const { json } = await service.dial(phone(0));
  return `/v1/calls/${json.call_id}/analytics`;
}

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Tells when somebody goes to sleep, and for how long. */
class ObservedClock extends VirtualClock {
  #tell: (ms: number) => void = () => undefined;
  readonly firstSleep = new Promise<number>((resolve) => {
    this.#tell = resolve;
  });

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal);
    this.#tell(ms);
    return slept;
  }
}
