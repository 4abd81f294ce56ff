import type { Dispatcher } from 'undici';
import { Exchange, type HttpAnswer } from './exchange.ts';

/**
 * The send of one dial: asks the permit just before the first byte and keeps what that proves. undici
 * calls `onRequestStart` on the connected socket, in the same turn as it writes; aborting there leaves
 * no byte on the wire, and as long as it was not called, none has left.
 */
export class Send {
  state: 'not_started' | 'not_permitted' | 'started' = 'not_started';
  readonly permit: () => boolean;

  constructor(permit: () => boolean) {
    this.permit = permit;
  }
}

/** The exchange of one dial: begins only with its permit, and ends when the answer drips for too long. */
export class DialExchange extends Exchange {
  readonly #send: Send;
  readonly #monotonic: () => number;
  readonly #longestAnswerMs: number;
  /** Monotonic ms after which an answer that still drips is given up; no timer, each piece is checked. */
  #givenUpAt = Infinity;

  constructor(
    resolve: (answer: HttpAnswer) => void,
    reject: (error: Error) => void,
    context: { send: Send; monotonic: () => number; longestAnswerMs: number },
  ) {
    super(resolve, reject);
    this.#send = context.send;
    this.#monotonic = context.monotonic;
    this.#longestAnswerMs = context.longestAnswerMs;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
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
    this.#givenUpAt = this.#monotonic() + this.#longestAnswerMs;
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    super.onResponseData(controller, chunk);
    if (this.#monotonic() <= this.#givenUpAt) return;
    controller.abort(new Error('the answer took too long to arrive'));
  }
}
