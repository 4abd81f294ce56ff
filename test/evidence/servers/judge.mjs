// What must hold after a round, whatever was broken: by the service's ledger and the exports of the campaigns.
import { MAX_CALLS } from './world.mjs';

/** A dial may be sent so long after its claim. */
const PERMIT_MS = 5_000;
/** Clocks are read before a transaction. */
const ROUNDING_MS = 50;
const IN_DOUBT = ['unconfirmed', 'no_result'];
/** `skipCalled` leaves those in whose phones cannot have rung. */
const NOT_RUNG = 'invalid_number';
const A_DAY_MS = 24 * 60 * 60_000;

/**
 * @param found `ledger` and `peak` of the service; `campaigns`, each with its `rows` (the export, a JSON object an
 *   attempt) and `leads` (a JSON object a lead); `claims`: the numbers of their claims, which
 *   grow, by call id;
 *   `isForgotten(key)`: whether only the journal that was lost knew the dial with this key
 * @returns the violations as sentences by kind, and counts
 */
export function judge({ ledger, peak, campaigns, claims, isForgotten }) {
  const rings = ledger
    .flatMap(({ phone_number: phone, rings: all }) =>
      all.map((ring) => ({
        ...ring,
        ...{ phone, at: Date.parse(ring.rang_at), until: Date.parse(ring.ended_at) },
      })),
    )
    .toSorted((a, b) => a.at - b.at);
  const double = [];
  const above = [];
  const lost = [];
  let forgotten = 0;
  let doubts = 0;
  for (const campaign of campaigns) {
    const own = rings.filter(({ agent_id: agent }) => agent === campaign.agent);
    for (const [phone, of] of groupedBy(own, 'phone')) {
      const twice = violationsOfPhone(campaign, phone, of);
      if (twice.length > 0 && of.some(({ attempt_key: key }) => isForgotten(key))) forgotten += 1;
      else double.push(...twice);
    }
    if (campaign.isFirst === true) {
      const others = rings.filter(({ attempt_key: key }) => !isForgotten(key));
      above.push(...callsAfterOthers(campaign, own, others, claims));
    }
    const known = own.filter(({ attempt_key: key }) => !isForgotten(key));
    const together = mostAtOnce(known);
    if (together > campaign.concurrency)
      above.push(`${campaign.name}: ${together} at once, ${campaign.concurrency} are allowed`);
    if (known.length > campaign.budget)
      above.push(`${campaign.name}: ${known.length} calls, the budget is ${campaign.budget}`);
    doubts += campaign.rows.filter(isInDoubt).length;
    lost.push(...lostResults(campaign, own, isForgotten));
  }
  if (peak > MAX_CALLS)
    above.push(`${peak} calls at once at the service, ${MAX_CALLS} are allowed`);
  return { double, above, lost, forgotten, doubts, dials: rings.length };
}

function isInDoubt({ call_attempt_result: result, call_attempt_state: state }) {
  return IN_DOUBT.includes(result ?? state);
}

function violationsOfPhone({ name, most, again }, phone, rings) {
  const text = rings.map(({ rang_at: at, outcome, call_id: id }) => `${at} ${outcome} ${id}`);
  const told = [`${name}: ${phone} rang ${rings.length} times: ${text.join('; ')}`];
  if (rings.length > most) return told;
  const [first, second] = rings;
  if (second === undefined) return [];
  const { results, afterMs } = again;
  const isDue = results.includes(first.outcome) && second.at >= first.until + afterMs - ROUNDING_MS;
  return isDue ? [] : told;
}

/** Numbers that another campaign had called within a day before. */
function callsAfterOthers({ name, agent }, own, rings, claims) {
  return own.flatMap((ring) => {
    const others = rings.filter(
      ({ phone, agent_id, at, outcome }) =>
        phone === ring.phone &&
        agent_id !== agent &&
        outcome !== NOT_RUNG &&
        at < ring.at &&
        at > ring.at - A_DAY_MS,
    );
    return others
      .filter((other) => isClaimedBefore(other, ring, claims))
      .map(
        (other) =>
          `${name}: ${ring.phone} rang at ${ring.rang_at}, and for another campaign at ${other.rang_at}`,
      );
  });
}

function isClaimedBefore(one, other, claims) {
  const [first, second] = [one, other].map((ring) => claims.get(ring.call_id));
  // Where a claim is in doubt, its dial was sent within the permit.
  if (first === undefined || second === undefined) return other.at - one.at > PERMIT_MS;
  return first < second;
}

function mostAtOnce(rings) {
  const moments = rings.flatMap(({ at, until }) => [
    { at, change: 1 },
    { at: until, change: -1 },
  ]);
  // Of one moment, ends come first.
  moments.sort((a, b) => a.at - b.at || a.change - b.change);
  let now = 0;
  let most = 0;
  for (const { change } of moments) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** What the service has of a call is in the row of that person, unless the row says that its answer was lost. */
function lostResults({ name, leads, rows, most, again }, rings, isForgotten) {
  const byCall = new Map(rows.filter((row) => row.call_id).map((row) => [row.call_id, row]));
  const ringOf = new Map(rings.map((ring) => [ring.call_id, ring]));
  const missing = rings.filter(({ call_id: id }) => !byCall.has(id));
  const doubted = rows.filter((row) => !row.call_id && isInDoubt(row));
  const doubtsOf = groupedBy(doubted, 'call_phone');
  const rangAndMissing = [...groupedBy(missing, 'phone')].flatMap(([phone, of]) => {
    const known = of.filter(({ attempt_key: key }) => !isForgotten(key));
    return known.length <= (doubtsOf.get(phone)?.length ?? 0)
      ? []
      : [
          `${name}: ${phone} rang (${of[0].call_id}, ${of[0].rang_at}), and the export does not have it`,
        ];
  });
  const wrong = [...byCall].flatMap(([id, row]) => {
    const ring = ringOf.get(id);
    if (ring === undefined || ring.phone !== row.call_phone)
      return [
        `${name}: call ${id} is exported at ${row.call_phone}, the service knows ${ring?.phone}`,
      ];
    if (isInDoubt(row))
      return [`${name}: ${row.call_phone} is in doubt, the service has ${ring.outcome}`];
    const isWhole =
      row.call_attempt_result === ring.outcome &&
      Number(row.call_duration_seconds) === ring.duration &&
      (row.call_transcript ?? '') === ring.transcript;
    return isWhole ? [] : [`${name}: the analytics of ${row.call_phone} are not the service's`];
  });
  const rang = groupedBy(
    rings.filter(({ attempt_key: key }) => !isForgotten(key)),
    'phone',
  );
  const isDueAgain = (of) => of.length < most && again?.results.includes(of[0].outcome);
  const states = leads.flatMap(({ call_phone: phone, call_state: state }) => {
    if (state === 'calling') return [`${name}: ${phone} is still calling in the end`];
    const of = rang.get(phone);
    return state === 'waiting' && of !== undefined && !isDueAgain(of)
      ? [`${name}: ${phone} waits and rang already`]
      : [];
  });
  return [...rangAndMissing, ...wrong, ...states];
}

function groupedBy(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(item[key], [...(groups.get(item[key]) ?? []), item]);
  return groups;
}
