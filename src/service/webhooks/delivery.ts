import type { IncomingHttpHeaders } from 'node:http';
import type { UnknownWord } from '../../domain/outcome.ts';
import type { E164 } from '../../domain/phone.ts';
import type { FoundCall } from '../calls/found-call.ts';
import type { EVENT_MEANINGS } from '../profile/profile-webhooks.ts';
import type { TypeScan } from './type-scan.ts';

/** Webhook deliveries as the stages see them. Part of the interface in `port.ts`. */

/** How the deliveries of one service are identified, verified and read, as its profile describes it. */
export interface DeliveryProtocol {
  /**
   * What signatures prove. `nothing`: deliveries are not signed. Otherwise a delivery without a valid signature is
   * refused. `all`: the whole delivery is believed. `fields`: only single fields are signed; the delivery is a hint
   * whose call id is genuine.
   */
  readonly proves: 'all' | 'fields' | 'nothing';
  /** IP addresses that deliveries come from; empty: any. */
  readonly ips: readonly string[];
  /**
   * @param body the bytes as received, before anything was read from them
   * @param now epoch ms
   * @param url the address that the service posts to: some services sign it
   */
  verify(headers: IncomingHttpHeaders, body: Uint8Array, now: number, url?: string): SignatureCheck;
  /** The service's id of the delivery, the same in every retry; null: the service gives no usable id. */
  idOf(headers: IncomingHttpHeaders, body: Uint8Array): string | null;
  /** The body as it may be stored: if it contains our secrets, they are masked. */
  bodyToKeep(body: Uint8Array): Uint8Array;
  /** The headers that may be stored, without those that contain a secret. */
  headersToKeep(headers: IncomingHttpHeaders): Record<string, string>;
  /** The deliveries that are dropped unread; null: the profile names none. */
  readonly unneeded: { largestBytes: number; scan(): TypeScan } | null;
  /** Never throws. */
  read(body: Uint8Array, headers: Readonly<Record<string, string>>): DeliveryReading;
}

/** What the signature of a delivery proves. */
export type SignatureCheck =
  | { kind: 'signed' }
  /** The profile has no signature scheme, no secret is configured, or a valid signature covers only a part. */
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
  /** The dial's idempotency key; null if the delivery does not give it. */
  attemptKey: string | null;
  phone: E164 | null;
  agent: string | null;
  /** When the event happened by the service's clock, epoch ms. */
  at: number | null;
  /** What a poll would find; null if the delivery does not contain it. */
  found: FoundCall | null;
  /** Every field of a captured lead, unchanged. */
  lead: Record<string, unknown> | null;
  /** What the profile does not understand of it; left out: nothing. */
  unknown?: UnknownWord;
}
