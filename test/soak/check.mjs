// What must hold after a campaign, whatever was killed: from the service's own ledger, the list and the export.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param found `rows` of the list, `ledger` of the service, `results` (the export, a JSON object a lead),
 *   `openDoubts` of the status, `rejectsFolder`, `pids` of the processes that were killed
 * @returns the violations as sentences, and counts: calls, doubts in the end, the most doubts one kill left
 */
export function violationsOf(found, limits) {
  const { rows, ledger, results, openDoubts, pids } = found;
  const perKill = pids.map((pid) => openDoubts.filter(({ owner }) => owner.pid === pid).length);
  const most = Math.max(0, ...perKill);
  const violations = [
    ...ringsTwice(ledger),
    ...lostRows(rows, results, rejectedRefs(found.rejectsFolder)),
    ...lostResults(results, ledger),
    ...doubtsOfNobody(openDoubts, pids),
  ];
  if (ledger.peak > limits.concurrency) {
    violations.push(
      `${ledger.peak} calls at once at the service, ${limits.concurrency} are allowed`,
    );
  }
  if (most > limits.lanes)
    violations.push(`one kill left ${most} calls in doubt, ${limits.lanes} lanes`);
  return { violations, counts: { calls: ledger.calls, doubts: openDoubts.length, most } };
}

/** Without retries a number has one attempt: it rings once or not at all. */
function ringsTwice({ numbers }) {
  return numbers
    .filter(({ rings }) => rings.length > 1)
    .map(({ phone_number, rings }) => `${phone_number} rang ${rings.length} times`);
}

/** Every row of the list is in exactly one place, the results or the rejects. */
function lostRows(rows, results, rejected) {
  const exported = results.map(({ lead }) => lead.ref);
  return rows.flatMap(({ ref, phone }) => {
    const places = [exported, rejected].map((refs) => refs.filter((other) => other === ref).length);
    const expected = phone === null ? [0, 1] : [1, 0];
    if (places.join() === expected.join()) return [];
    return [`${ref} is ${places[0]} times in the results and ${places[1]} times in the rejects`];
  });
}

/** What the service has of a call is in the call's row, unless the row says that its answer was lost. */
function lostResults(results, { numbers }) {
  const rings = new Map(numbers.map(({ phone_number, rings: [ring] }) => [phone_number, ring]));
  return results.flatMap((row) => {
    const { call_phone: phone, call_state, call_result, call_id, call_transcript } = row;
    if (call_state !== 'done') return [`${phone} is ${call_state} in the end`];
    if (call_result === 'unconfirmed') return [];
    const ring = rings.get(phone);
    if (ring === undefined) return [`${phone} is ${call_result}, and it never rang`];
    if (call_id !== ring.call_id)
      return [`${phone} is call ${ring.call_id}, exported as ${call_id}`];
    const isWhole =
      Number(row.call_duration_seconds) === ring.duration && call_transcript === ring.transcript;
    return isWhole ? [] : [`the analytics of ${phone} are not those of the service`];
  });
}

/** A call is in doubt only because the process that made it was killed. */
function doubtsOfNobody(openDoubts, pids) {
  return openDoubts
    .filter(({ owner }) => !pids.includes(owner.pid))
    .map(({ phone, detail }) => `${phone} is in doubt, and nobody was killed for it: ${detail}`);
}

function rejectedRefs(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv') && !name.startsWith('.'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(1))
    .map((line) => line.split(',')[0]);
}
