import { describe, expect, it } from 'vitest';
import type { E164 } from '../../src/domain/phone.ts';
import type { Dial, DialAnswer, PollResult, VoiceService } from '../../src/service/port.ts';
import { aPhone } from '../helpers/factory.ts';

/** A service that is asked through the port, and what is known of it beside the port. */
export interface ServiceUnderTest {
  service: VoiceService;
  /** The same service with a key that it refuses; null: it knows no keys. */
  withWrongKey: VoiceService | null;
  /** An agent that it has. */
  agent: string;
  /** Calls that it takes at once, as it was opened with; the test fills them. */
  capacity: number;
  /** The phones that rang, in order, by the service's own book. */
  rang: () => { phone: string; callId: string }[];
  /** Lets every call come to its end, with its analytics. */
  end: () => Promise<void>;
  /** Waits for an answer, where time has to pass for it. */
  pass: <T>(answer: Promise<T>) => Promise<T>;
}

/** Opens a service with room for two calls; it is closed when the test ends. */
export type OpenServiceUnderTest = () => Promise<ServiceUnderTest>;

/**
 * What every adapter of the service port must do, said through the port alone: an adapter's test file calls
 * it with a name and a way to open one.
 */
export function serviceConformance(name: string, open: OpenServiceUnderTest): void {
  describe(`a service that is ${name}`, () => {
    it('has a name, an address without a slash at its end, and an identity', async () => {
      const { service } = await open();
      expect(service.name).not.toBe('');
      expect(service.url).toMatch(/^https?:\/\/.*[^/]$/);
      expect(service.fingerprint).not.toBe('');
    });

    it('lists its agents to the last one, and works when it is probed', async () => {
      const { service, agent, pass } = await open();
      const { agents, complete } = await pass(service.listAgents());
      expect(complete).toBe(true);
      expect(agents.map(({ id }) => id)).toContain(agent);
      expect(new Set(agents.map(({ id }) => id)).size).toBe(agents.length);
      expect(await pass(service.probe())).toEqual({ ok: true });
    });

    it('places a dial as one call with an id of its own', async () => {
      const { service, agent, rang, pass } = await open();
      const first = await pass(service.startCall(dialTo(0, agent), () => true));
      const second = await pass(service.startCall(dialTo(1, agent), () => true));

      const ids = [callIdOf(first), callIdOf(second)];
      expect(new Set(ids).size).toBe(2);
      expect(rang()).toMatchObject([
        { phone: aPhone(0), callId: ids[0] },
        { phone: aPhone(1), callId: ids[1] },
      ]);
    });

    it('sends nothing when the permit is not given, and asks for it once', async () => {
      const { service, agent, rang, pass } = await open();
      let asked = 0;
      const permit = () => {
        asked += 1;
        return false;
      };
      const answer = await pass(service.startCall(dialTo(0, agent), permit));
      expect(answer).toMatchObject({ kind: 'neverSent', cause: 'permit', status: null });
      expect([asked, rang()]).toEqual([1, []]);
    });

    it('proves of a dial above its capacity that nothing was done', async () => {
      const { service, agent, capacity, rang, pass } = await open();
      for (let n = 0; n < capacity; n++) {
        await pass(service.startCall(dialTo(n, agent), () => true));
      }
      const answer = await pass(service.startCall(dialTo(capacity, agent), () => true));
      expect(answer).toMatchObject({ kind: 'refused' });
      expect(answer.detail).not.toBe('');
      expect(rang()).toHaveLength(capacity);
    });

    it('says how many calls it would take, where it can be asked', async () => {
      const { service, agent, capacity, pass } = await open();
      if (service.freeSlots === undefined) return;
      expect(await pass(service.freeSlots())).toBe(capacity);
      for (let n = 0; n < capacity; n++) {
        await pass(service.startCall(dialTo(n, agent), () => true));
        expect(await pass(service.freeSlots())).toBe(capacity - n - 1);
      }
    });

    it('settles a call only when it is over, and then every time with the same', async () => {
      const { service, agent, end, pass } = await open();
      const callId = callIdOf(await pass(service.startCall(dialTo(0, agent), () => true)));
      const early = await pass(service.readAnalytics(callId));
      expect(['pending', 'ended']).toContain(early.kind);

      await end();
      const look = await pass(service.readAnalytics(callId));
      expect(look).toMatchObject({ kind: 'settled' });
      const { analytics } = look as Extract<PollResult, { kind: 'settled' }>;
      expect(analytics.raw).toBeTruthy();
      expect(analytics.durationMs ?? 0).toBeGreaterThanOrEqual(0);
      expect(await pass(service.readAnalytics(callId))).toEqual(look);
    });

    it('lists calls, where it can, with ids and what is known of them', async () => {
      const { service, agent, end, pass } = await open();
      const callId = callIdOf(await pass(service.startCall(dialTo(0, agent), () => true)));
      if (service.callList === null) return;
      const before = await pass(service.callList.read({ since: 0 }));
      expect(before).toMatchObject({ kind: 'listed', complete: true, calls: [{ callId }] });
      const [call] = before.kind === 'listed' ? before.calls : [];
      expect([null, aPhone(0)]).toContain(call?.phone);
      expect(call?.found?.kind).not.toBe('settled');

      await end();
      const after = await pass(service.callList.read({ since: 0 }));
      const [over] = after.kind === 'listed' ? after.calls : [];
      // Whatever the list says of an end, a look says the same or more.
      if (over?.found?.kind !== 'settled') return;
      expect(over.found.analytics).toEqual(
        ((await pass(service.readAnalytics(callId))) as Extract<PollResult, { kind: 'settled' }>)
          .analytics,
      );
    });

    it('names a key that it refuses, and nobody is called with it', async () => {
      const { withWrongKey: service, agent, rang, pass } = await open();
      if (service === null) return;
      await expect(pass(service.listAgents())).rejects.toMatchObject({
        code: 'SERVICE_KEY_REFUSED',
        exitCode: 4,
      });
      expect(await pass(service.probe())).toMatchObject({ ok: false, keyRefused: true });
      expect(await pass(service.readAnalytics('call_1'))).toMatchObject({
        kind: 'failed',
        keyRefused: true,
      });
      const answer = await pass(service.startCall(dialTo(0, agent), () => true));
      expect(answer).toMatchObject({ kind: 'rejected', status: 401 });
      expect(rang()).toEqual([]);
    });
  });
}

function dialTo(n: number, agent: string): Dial {
  const phone: E164 = aPhone(n);
  return { attemptKey: `key_${n}`, phone, agent, variables: { phone, name: 'Ana' } };
}

function callIdOf(answer: DialAnswer): string {
  expect(answer).toMatchObject({ kind: 'placed' });
  return answer.kind === 'placed' ? answer.callId : '';
}
