import type { Claim } from '../store/port.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';

/** Claims leads to dial from the store, and knows whether the service was proven then. */
export class LeadClaims {
  readonly #options: DispatcherOptions;
  /** True once this service has answered a dial as its profile expects. */
  isProven = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  async ask(want: number, slots: number): Promise<Claim> {
    const { store, campaign, settings, service, serviceSlots, clock, owner } = this.#options;
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
    settings.saw(claim.settings);
    // Another process may have proved the service, and the claim took that into account: the answers must be judged by
    // the same fact. Claimed leads have to be dialled, so if this read fails they are only judged more strictly.
    if (!this.isProven && claim.intents.length > 0) {
      this.isProven = await store.isProven(fingerprint).catch(() => false);
    }
    return claim;
  }

  /** True while calls are open whose leads may wait again: the service may end them without ringing, or they are retried. */
  async someMayWaitAgain(): Promise<boolean> {
    const { store, service, campaign } = this.#options;
    const open = { service: service.name, campaignId: campaign.id, after: -1 };
    const endsUnrung = service.endsUnrung === true && (await store.nextPollAt(open)) !== null;
    return endsUnrung || (await store.someMayWaitAgain(campaign.id));
  }
}
