import { whyDropped } from '../../app/webhooks/inbox.ts';
import type { KeptDelivery } from '../../store/deliveries.ts';
import type { Delivery, DeliveryDetail } from '../contract/inbox.ts';
import { shownTo } from './shown.ts';

interface Reader {
  transcripts: boolean;
}

/** A delivery in short. Its type and its reason may quote what the service has sent. */
export function deliveryBody(kept: KeptDelivery, reader: Reader): Delivery {
  const { id, service, receivedAt, times, signed, state, callId, campaign, bodyDropped } = kept;
  const { type, reason, phone } = kept;
  const show = shownTo(reader);
  const shown = (text: string | null) => (text === null ? null : show.text(text));
  return {
    id,
    service,
    receivedAt,
    times,
    signed,
    type: shown(type),
    state,
    reason: shown(reason),
    callId,
    phone: phone === null ? null : show.phone(phone),
    campaign,
    bodyDropped,
  };
}

/** One delivery in full, for who may read what was said. */
export function deliveryDetail(
  kept: KeptDelivery & { body: Uint8Array },
  reader: Reader,
): DeliveryDetail {
  const whole = reader.transcripts;
  const isThere = whole && !kept.bodyDropped;
  return {
    ...deliveryBody(kept, reader),
    key: shownTo(reader).text(kept.key),
    headers: whole ? withoutSecrets(kept.headers) : {},
    body: isThere ? Buffer.from(kept.body).toString('utf8') : null,
    bodyWhy: isThere ? null : whole ? `Dropped: ${whyDropped(kept.state)}.` : NOT_SHOWN,
  };
}

const NOT_SHOWN = 'Shown to those who may read what was said in calls.';

/** The inbox keeps few headers, with known secrets masked; what only looks like one is hidden as well. */
function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? '(hidden)' : value]),
  );
}

const SECRET = /auth|cookie|secret|token|api-?key|password|signature/i;
