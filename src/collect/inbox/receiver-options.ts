import type { Clock } from '../../runtime/clock.ts';
import type { NewId } from '../../runtime/ids.ts';
import type { Notify } from '../../runtime/notice.ts';
import type { DeliveryProtocol } from '../../service/port.ts';
import type { Store } from '../../store/port.ts';
import type { RoomLimits } from './connection-room.ts';
import type { Health } from './health-route.ts';
import type { Endpoint } from './webhook-address.ts';

/** Where webhooks are received. */
export interface ListenAt {
  /** Address to listen on, e.g. 127.0.0.1. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Address at which services reach the receiver, without a trailing slash; default: its own address. */
  publicUrl?: string | undefined;
}

export interface ReceiverOptions extends ListenAt {
  endpoints: readonly ServiceEndpoint[];
  store: Store;
  clock: Clock;
  newId: NewId;
  notify: Notify;
  /** Called for every delivery that was kept, with its service's name. */
  onDelivery: (service: string) => void;
  /** Called after every chunk of a body with the number of bytes that are kept; for measurements. */
  onHeld?: (bytes: number) => void;
  limits?: Partial<ReceiverLimits>;
  /** What /healthz answers; left out: this path is not found. */
  health?: Health | undefined;
}

export type ServiceEndpoint = Endpoint & { protocol: DeliveryProtocol };

export interface ReceiverLimits extends RoomLimits {
  /** A longer body is refused, unless its type is one that the profile calls unneeded. Default 1,048,576. */
  bodyBytes: number;
  /** A request that has not arrived in full by then is cut off, ms. Default 10,000. */
  requestMs: number;
  /** Deliveries that wait for the disk at once; further ones are answered with 503. Default 5,000. */
  waiting: number;
}

export const DEFAULT_LIMITS: ReceiverLimits = {
  bodyBytes: 1_048_576,
  requestMs: 10_000,
  waiting: 5_000,
  connections: 1_024,
  strangers: 512,
  strangersPerAddress: 64,
  strangerMs: 3_000,
};
