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

/** Asks the store for leads to dial, and knows whether the service had proved itself when they were given. */
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
    // Another runner may have proved it: the claim knew, and its answers are judged by the same. What was
    // given must be dialled, so a read that fails only makes the judgement strict.
    if (!this.#isProven && claim.intents.length > 0) {
      this.#isProven = await store.isProven(fingerprint).catch(() => false);
    }
    return claim;
  }
}
