import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../../../src/runtime/clock.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import type { DeliveryProtocol } from '../../../src/service/port.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import type { WebhookFaults } from '../plan.ts';
import type { Call } from './ledger.ts';

const KEY = Buffer.from('a secret of thirty-two bytes ...');
/** What no call of the service was ever about. */
export const FORGED = 'forged';

/** How often a delivery is tried that was not answered with 200, and how far apart. */
const TRIES = 4;
const AGAIN_MS = 3_000;

const path = new URL('../../../campaigns/profiles/voice-agent.yaml', import.meta.url);
/** The default profile, for a service whose last delivery brings the analytics. */
const profile = loadProfile(
  readFileSync(path, 'utf8')
    .replace('call.analyzed: ended', 'call.analyzed: analytics')
    .replace('\n  lead: [', '\n  analytics: [data.analytics]\n  lead: ['),
  'voice-agent.yaml',
);

/** The program's way to tell deliveries apart, prove and read them. */
export function protocolOf({ signed }: WebhookFaults): DeliveryProtocol {
  const protocol = createDeliveryProtocol(
    profile,
    signed ? [`whsec_${KEY.toString('base64')}`] : [],
  );
  if (protocol === null) throw new Error('the default profile has webhooks');
  return protocol;
}

export interface Delivery {
  headers: Record<string, string>;
  body: Buffer;
  /** The call that it is about. */
  callId: string;
  /** It holds the call's analytics, in a way that can be believed and matched. */
  brings: boolean;
}

export interface SenderWorld {
  clock: Clock;
  random: Random;
  /** Brings it to whoever listens; the status of the answer, 0 when there is none. */
  deliver(delivery: Delivery): Promise<number>;
}

/** What the service sends by itself, with the faults of the way; signs as Standard Webhooks say. */
export class Sender {
  /** Deliveries that are still to be tried. */
  pending = 0;
  readonly #world: SenderWorld;
  readonly #faults: WebhookFaults;
  #names = 0;

  constructor(world: SenderWorld, faults: WebhookFaults) {
    this.#world = world;
    this.#faults = faults;
  }

  /** Tells of a call once its line is down and again once its analytics are there. */
  tellOf(call: Call): void {
    const { clock } = this.#world;
    const begin = clock.monotonic();
    this.#send('call.ended', call, call.endsAt - begin);
    if (call.isUnreadable || call.analyticsAt === Infinity) return;
    this.#send('call.analyzed', call, call.analyticsAt - begin);
  }

  #send(type: string, call: Call, afterMs: number): void {
    const { random } = this.#world;
    const { lost, late, lateMs = 12_000, twice, forged, signed } = this.#faults;
    const hasKey = random() < 0.7;
    const wayMs = () => 20 + random() * (random() < late ? lateMs : 300);
    const id = `evt_${++this.#names}`;
    if (random() >= lost) {
      const brings = signed && hasKey && type === 'call.analyzed';
      const { callId } = call;
      const body = bodyOf(type, id, call, { hasKey, summary: call.name });
      this.#in(afterMs + wayMs(), { id, body, key: KEY, callId, brings });
      if (random() < twice) this.#in(afterMs + wayMs(), { id, body, key: KEY, callId, brings });
    }
    if (random() >= forged) return;
    // Of this call, or of one that nobody made.
    const callId = random() < 0.5 ? call.callId : 'call_0';
    const body = bodyOf(
      'call.analyzed',
      `${id}_`,
      { ...call, callId },
      { hasKey, summary: FORGED },
    );
    const key = Buffer.from(FORGED);
    this.#in(random() * afterMs + wayMs(), { id: `${id}_`, body, key, callId, brings: false });
  }

  #in(ms: number, message: Message): void {
    this.pending += 1;
    this.#world.clock.after(Math.floor(ms), () => void this.#tryAll(message));
  }

  async #tryAll({ id, body, key, callId, brings }: Message): Promise<void> {
    const { clock } = this.#world;
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await clock.sleep(AGAIN_MS);
      const headers = { 'content-type': 'application/json', ...sign(id, body, key, clock.now()) };
      const status = await this.#world.deliver({ headers, body, callId, brings });
      if (status === 200) break;
    }
    this.pending -= 1;
  }
}

interface Message {
  id: string;
  body: Buffer;
  key: Buffer;
  callId: string;
  brings: boolean;
}

function bodyOf(
  type: string,
  id: string,
  { callId, phone, key, endedAt }: Call,
  { hasKey, summary }: { hasKey: boolean; summary: string },
): Buffer {
  const data = {
    call_id: callId,
    phone_number: phone,
    ...(hasKey && { idempotency_key: key }),
    ...(type === 'call.analyzed' && {
      analytics: { transcript: 'agent: Hello.\nuser: Yes.', duration: 42, summary },
    }),
  };
  const timestamp = new Date(endedAt).toISOString();
  return Buffer.from(JSON.stringify({ type, id, timestamp, data }));
}

function sign(id: string, body: Buffer, key: Buffer, now: number): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const hmac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body);
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
}
