import type { Clock } from '../runtime/clock.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, Claim, Owner, Store } from '../store/port.ts';

export interface LeadClaimsOptions {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  /** Calls in progress at the service at most, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  clock: Clock;
  owner: Owner;
}

/** Claims leads to dial from the store, and knows whether the service was proven when they were claimed. */
export class LeadClaims {
  readonly #options: LeadClaimsOptions;
  #isProven = false;

  constructor(options: LeadClaimsOptions) {
    this.#options = options;
  }

  /** True once this service has answered a dial as its profile expects. */
  get isProven(): boolean {
    return this.#isProven;
  }

  proved(): void {
    this.#isProven = true;
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
    if (!this.#isProven && claim.intents.length > 0) {
      this.#isProven = await store.isProven(fingerprint).catch(() => false);
    }
    return claim;
  }
}
