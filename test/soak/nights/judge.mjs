// What must hold after the nights, whoever was killed: by the service's ledger, the files and what receivers got.
import { priceOf } from './plan.mjs';

/**
 * @param found `plan` of the nights, `phones` of the list, `stop`: the budget of a night (`calls`, or `cost` as the
 *   campaign file has it), `ledger` of the service, `rows` (the export, a JSON object a lead), `firings` (epoch ms), `told` (what each receiver got, in turn), `forged`, `dated` (the results
 *   of each night by its date; null: there are none)
 * @returns a sentence for each promise that did not hold
 */
export function violationsOf(found) {
  const { plan, ledger, told } = found;
  const rings = ledger.numbers.flatMap(({ phone_number: phone, rings: all }) =>
    all.map((ring) => ({ ...ring, phone, at: Date.parse(ring.rang_at) })),
  );
  return [
    ...firingViolations(found),
    ...ringViolations(ledger, rings, plan),
    ...budgetViolations(found),
    ...rowViolations(found, rings),
    ...Object.entries(told).flatMap(([who, got]) => noticeViolations(who, got, plan, rings)),
    ...(found.forged > 0 ? [`${found.forged} notices were not signed as they should be`] : []),
    ...datedViolations(found, rings),
  ];
}

function firingViolations({ firings, plan }) {
  const due = plan.nights.map(({ opensAt }) => opensAt);
  const times = [...new Set([...due, ...firings])];
  return times.flatMap((at) => {
    const count = firings.filter((fired) => fired === at).length;
    const wanted = due.includes(at) ? 1 : 0;
    if (count === wanted) return [];
    return [
      `the schedule fired ${count} times instead of ${wanted} at ${new Date(at).toISOString()}`,
    ];
  });
}

/** Without retries a phone rings once or not at all, and only while a window is open. */
function ringViolations({ numbers }, rings, plan) {
  const twice = numbers.filter((number) => number.rings.length > 1);
  return [
    ...twice.map(({ phone_number: phone, rings: all }) => `${phone} rang ${all.length} times`),
    ...rings
      .filter((ring) => nightOf(ring.at, plan) === undefined)
      .map(({ phone, rang_at }) => `${phone} rang at ${rang_at}, outside of the hours`),
  ];
}

/** Nobody is called this long before hours close, as the phone may ring so long, and a busy machine takes its seconds. */
const LAST_MS = 5 * 60_000;

/** A budget may be a little more careful than the dearest call, as it knows prices by calls alone (see spent.ts). */
const CAREFUL = 1.1;

/**
 * No night uses more than its budget; and, while people wait, leaves less than one more call may use, besides what its
 * calls in doubt hold, unless calls were made until the hours closed.
 */
function budgetViolations(found) {
  const isMoney = found.stop.cost !== undefined;
  return usedOf(found).flatMap(({ date, used, budget, left, held, isFull, isEmpty }) => {
    if (used > budget + ROUNDING)
      return isMoney
        ? [`calls of the night of ${date} cost ${text(used)}, ${budget} is allowed`]
        : [`${used} phones rang in the night of ${date}, ${budget} are allowed`];
    if (isFull || isEmpty) return [];
    if (isMoney && left - held >= priceOf() * CAREFUL)
      return [`${text(left)} is left of ${budget} in the night of ${date}, and ${text(held)} held by calls in doubt`]; // prettier-ignore
    if (!isMoney && left - held >= 1)
      return [`only ${used} phones rang in the night of ${date}, not ${budget - held}`];
    return [];
  });
}

/** So long after its end it is known what a call has cost, and what it leaves for others: its lag, and two polls. */
const KNOWN_MS = 5 * 60_000;
/** Sums of prices are binary here. */
const ROUNDING = 1e-9;

/**
 * What each night has used of its budget: phones that rang, or what their calls cost. `left` is what callsheet knows to
 * be left, and `held` what it must keep of that for calls of this night that are in doubt in the end. `isFull`: calls
 * were made until the hours closed; `isEmpty`: nobody waited any more.
 */
export function usedOf({ plan, stop, phones, ledger, rows }) {
  const isMoney = stop.cost !== undefined;
  const budget = isMoney ? Number.parseFloat(stop.cost) : stop.calls;
  const doubted = rows.filter(({ call_result: result }) => IN_DOUBT.includes(result));
  const isDoubted = new Set(doubted.map(({ call_phone: phone }) => phone));
  const rings = ledger.numbers.flatMap(({ phone_number: phone, rings: all }) =>
    all.map(({ rang_at: at, ended_at: end, duration }) => {
      return { phone, at: Date.parse(at), overAt: Date.parse(end), duration };
    }),
  );
  const rang = new Set(rings.map(({ phone }) => phone));
  let people = phones.length;
  return plan.nights.map(({ date, closesAt }) => {
    const own = rings.filter(({ at }) => nightOf(at, plan) === date);
    const doubts = doubted.filter((row) => nightOf(Date.parse(row.call_last_attempt_at), plan) === date); // prettier-ignore
    const sum = (some) => some.reduce((all, { duration }) => all + priceOf(duration ?? 0), 0);
    const silent = doubts.filter(({ call_phone: phone }) => !rang.has(phone)).length;
    people -= own.length + silent;
    return {
      date,
      budget,
      calls: own.length,
      doubts: doubts.length,
      used: isMoney ? sum(own) : own.length,
      left: budget - (isMoney ? sum(own.filter(({ phone }) => !isDoubted.has(phone))) : own.length),
      held: isMoney ? doubts.length * priceOf() * CAREFUL : silent,
      isFull: own.some(
        ({ at, overAt }) => (isMoney ? overAt + KNOWN_MS : at) >= closesAt - LAST_MS,
      ),
      isEmpty: people <= 0,
    };
  });
}

/** Of such a call it is not known what it was. */
const IN_DOUBT = ['unconfirmed', 'no_result'];

export function text(amount) {
  return String(Number(amount.toFixed(2)));
}

/** Every lead is in the results once: final, with the service's own call, or waiting, and never called. */
function rowViolations({ phones, rows }, rings) {
  const byPhone = Map.groupBy?.(rows, (row) => row.call_phone) ?? grouped(rows);
  const rangBy = new Map(rings.map((ring) => [ring.phone, ring]));
  const strangers = [...byPhone.keys()].filter((phone) => !phones.includes(phone));
  return [
    ...strangers.map((phone) => `${phone} is in the results and not on the list`),
    ...phones.flatMap((phone) => {
      const own = byPhone.get(phone) ?? [];
      if (own.length !== 1) return [`${phone} is ${own.length} times in the results`];
      return rowViolation(own[0], rangBy.get(phone));
    }),
  ];
}

function rowViolation({ call_phone: phone, call_state, call_result, call_id }, ring) {
  if (call_state === 'waiting')
    return ring === undefined ? [] : [`${phone} waits and rang already`];
  if (call_state !== 'done') return [`${phone} is ${call_state} in the end`];
  if (call_result === 'unconfirmed') return [];
  if (ring === undefined) return [`${phone} is ${call_result}, and it never rang`];
  if (ring.call_id === call_id) return [];
  return [`${phone} is call ${ring.call_id} at the service and ${call_id} in the results`];
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.call_phone, [...(groups.get(row.call_phone) ?? []), row]);
  return groups;
}

/**
 * Each night is told once that it began and once that it is over, to each receiver: the same id may come again, always
 * with the same words. The last word on a night counts as many calls as rang in it.
 */
function noticeViolations(who, got, plan, rings) {
  const byId = new Map();
  for (const notice of got) byId.set(notice.id, [...(byId.get(notice.id) ?? []), notice]);
  const changed = [...byId].flatMap(([id, all]) => {
    const bodies = new Set(all.map(({ header: _header, ...body }) => JSON.stringify(body)));
    return bodies.size === 1 ? [] : [`${who}: notice ${id} came with ${bodies.size} bodies`];
  });
  const headers = got
    .filter(({ id, header }) => header !== undefined && header !== id)
    .map(({ id, header }) => `${who}: notice ${id} has the id ${header} in its head`);
  const once = [...byId.values()].map(([first]) => first);
  const ofNights = plan.nights.flatMap(({ date }) => {
    const own = (event) => once.filter((each) => each.event === event && each.night === date);
    const [started, finished] = [own('started').length, own('finished')];
    const over = finished.filter(({ reason }) => reason !== 'run');
    const calls = rings.filter(({ at }) => nightOf(at, plan) === date).length;
    const last = (over[0] ?? finished.at(-1))?.tonight?.calls;
    return [
      ...(started === 1 ? [] : [`${who}: the night of ${date} began ${started} times`]),
      ...(over.length === 1 || (over.length === 0 && finished.length === 1)
        ? []
        : [`${who}: the night of ${date} was over ${over.length} times`]),
      ...(last >= calls || last === undefined
        ? []
        : [`${who}: ${last} calls in the night of ${date}, and ${calls} phones rang`]),
    ];
  });
  const dates = plan.nights.map(({ date }) => date);
  const foreign = once
    .filter(({ event, night }) => event !== 'attention' && !dates.includes(night))
    .map(({ event, night }) => `${who}: ${event} of ${night}, in which nobody was to be called`);
  return [...changed, ...headers, ...ofNights, ...foreign];
}

/** The file of a night has every call that was made in it, with what the service has of it. */
function datedViolations({ plan, dated }, rings) {
  return plan.nights.flatMap(({ date }) => {
    const rows = dated[date] ?? null;
    if (rows === null) return [`there are no results of the night of ${date}`];
    const byPhone = new Map(rows.map((row) => [row.call_phone, row]));
    const isThere = ({ phone, call_id }) => {
      const row = byPhone.get(phone);
      return row?.call_id === call_id || row?.call_result === 'unconfirmed';
    };
    const rang = rings.filter(({ at }) => nightOf(at, plan) === date);
    const missing = rang.filter((ring) => !isThere(ring)).length;
    return missing === 0 ? [] : [`${missing} calls are not in the results of the night of ${date}`];
  });
}

function nightOf(at, { nights }) {
  return nights.find(({ opensAt, closesAt }) => at >= opensAt && at < closesAt)?.date;
}
