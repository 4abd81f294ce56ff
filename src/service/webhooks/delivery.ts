import type { IncomingHttpHeaders } from 'node:http';
import type { E164 } from '../../domain/phone.ts';
import type { FoundCall } from '../calls/found-call.ts';
import type { EVENT_MEANINGS } from '../profile/profile-webhooks.ts';
import type { TypeScan } from './type-scan.ts';

/** What the service sends by itself, as the stages see it. Part of the port. */

/** How one service's deliveries are told apart, proved and read, as its profile describes it. */
export interface DeliveryProtocol {
  /**
   * What signatures prove. `nothing`: there are none. Otherwise deliveries without a right one are refused, and what
   * the others say is believed (`all`), or they are hints whose call id is nobody else's invention (`fields`).
   */
  readonly proves: 'all' | 'fields' | 'nothing';
  /** Addresses that deliveries come from; empty: any. */
  readonly ips: readonly string[];
  /**
   * @param body as it came, before anything was read from it
   * @param now epoch ms
   * @param url the address that the service was given: some sign it
   */
  verify(headers: IncomingHttpHeaders, body: Uint8Array, now: number, url?: string): SignatureCheck;
  /** The service's own name of the delivery, the same whenever it is sent again; null: it gives none. */
  idOf(headers: IncomingHttpHeaders, body: Uint8Array): string | null;
  /** The body as it may be kept: secrets of ours are masked, should it repeat them. */
  bodyToKeep(body: Uint8Array): Uint8Array;
  /** The headers that a delivery is kept with: none that holds a secret. */
  headersToKeep(headers: IncomingHttpHeaders): Record<string, string>;
  /** What is dropped unread; null: the profile names nothing. */
  readonly unneeded: { largestBytes: number; scan(): TypeScan } | null;
  /** Never throws. */
  read(body: Uint8Array, headers: Readonly<Record<string, string>>): DeliveryReading;
}

/** What the signature of a delivery proves. */
export type SignatureCheck =
  | { kind: 'signed' }
  /** Nobody could sign: the service has no scheme, or no secret is known here. Or the signature was right, and is not over all of it. */
  | { kind: 'unsigned' }
  | { kind: 'refused'; why: 'signature_missing' | 'signature_wrong' | 'time_wrong' };

export type DeliveryReading = DeliveryEvent | { kind: 'unreadable'; why: string };

export interface DeliveryEvent {
  kind: 'event';
  /** The service's own word, e.g. `call.finished`; null: none was found. */
  type: string | null;
  /** `unknown`: the profile does not name this type. */
  meaning: (typeof EVENT_MEANINGS)[number] | 'unknown';
  callId: string | null;
  /** What the dial carried as its idempotency key. */
  attemptKey: string | null;
  phone: E164 | null;
  agent: string | null;
  /** When it happened by the service's clock, epoch ms. */
  at: number | null;
  /** What a look would find, where the delivery holds it. */
  found: FoundCall | null;
  /** Every field of a captured lead, as it came. */
  lead: Record<string, unknown> | null;
}
