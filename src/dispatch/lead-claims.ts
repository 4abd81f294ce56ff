import type { Claim } from '../store/port.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';

/** Claims leads to dial from the store, and knows whether the service was proven when they were claimed. */
export class LeadClaims {
  readonly #options: DispatcherOptions;
  /** True once this service has answered a dial as its profile expects. */
  isProven = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  async ask(want: number, slots: number): Promise<Claim> {
    const { store, campaign, service, serviceSlots, clock, owner } = this.#options;
    const { name, fingerprint } = service;
    const claim = await store.claim({
      campaignId: campaign.id,
      want,
      slots,
      serviceSlots,
      service: name,
      fingerprint,
      now: clock.now(),
      owner,
      ...(service.idempotency !== undefined && {
        replay: { ...service.idempotency, monotonic: clock.monotonic() },
      }),
      ...(service.usesLeadColumns === true && { withVariables: true }),
    });
    // Another process may have proved the service, and the claim took that into account: the answers must be judged by
    // the same fact. Claimed leads have to be dialled, so if this read fails they are only judged more strictly.
    if (!this.isProven && claim.intents.length > 0) {
      this.isProven = await store.isProven(fingerprint).catch(() => false);
    }
    return claim;
  }
}
