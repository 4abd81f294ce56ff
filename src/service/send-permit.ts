import type { Dispatcher } from 'undici';

/**
 * The send of one dial: asks the permit just before the first byte and keeps what that proves. undici
 * calls `onRequestStart` on the connected socket, in the same turn as it writes; aborting there leaves
 * no byte on the wire, and as long as it was not called, none has left.
 */
export class Send {
  state: 'not_started' | 'not_permitted' | 'started' = 'not_started';
  /** Monotonic ms after which an answer that still drips is given up; no timer, each piece is checked. */
  givenUpAt = Infinity;
  /** The first bytes of the answer, for the message when the rest never comes. */
  head: Buffer | undefined;
  readonly permit: () => boolean;

  constructor(permit: () => boolean) {
    this.permit = permit;
  }
}

/** The interceptor that carries a `Send`, given as the request's `opaque`, through the request. */
export function sendPermit(
  monotonic: () => number,
  longestAnswerMs: number,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { opaque } = options as Dispatcher.RequestOptions<Send>;
    if (!(opaque instanceof Send)) throw new Error('a dial without its permit');
    return dispatch(options, new PermitHandler(handler, opaque, monotonic, longestAnswerMs));
  };
}

class PermitHandler implements Dispatcher.DispatchHandler {
  readonly #next: Dispatcher.DispatchHandler;
  readonly #send: Send;
  readonly #monotonic: () => number;
  readonly #longestAnswerMs: number;

  constructor(
    next: Dispatcher.DispatchHandler,
    send: Send,
    monotonic: () => number,
    longestAnswerMs: number,
  ) {
    this.#next = next;
    this.#send = send;
    this.#monotonic = monotonic;
    this.#longestAnswerMs = longestAnswerMs;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    const send = this.#send;
    if (send.state !== 'not_started') {
      controller.abort(new Error('a dial is sent once, and this one was sent'));
      return;
    }
    // Set before asking: a permit that throws is one that was not given.
    send.state = 'not_permitted';
    if (!send.permit()) {
      controller.abort(new Error('the permit to send was not given'));
      return;
    }
    send.state = 'started';
    send.givenUpAt = this.#monotonic() + this.#longestAnswerMs;
    this.#next.onRequestStart?.(controller, context);
  }

  onResponseStart(
    ...response: Parameters<Required<Dispatcher.DispatchHandler>['onResponseStart']>
  ) {
    this.#next.onResponseStart?.(...response);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#send.head ??= chunk;
    if (this.#monotonic() > this.#send.givenUpAt) {
      controller.abort(new Error('the answer took too long to arrive'));
      return;
    }
    this.#next.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...end: Parameters<Required<Dispatcher.DispatchHandler>['onResponseEnd']>): void {
    this.#next.onResponseEnd?.(...end);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#next.onResponseError?.(controller, error);
  }
}
