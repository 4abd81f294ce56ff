import type { Evidence } from '../invariants.ts';

/** What the results file must say of nights in which people are called again, attempt by attempt. */

/** A call whose id was kept is named by one attempt. */
export function everyCallHasItsAttempt({ attempts, ledger, kept }: Evidence): string[] {
  return ledger.calls.flatMap(({ callId, phone }) => {
    const named = attempts.filter((row) => row.call_id === callId);
    if (named.length > 1) return [`${callId} is told of ${named.length} attempts`];
    if (named.length === 1 || !kept.placed.has(callId)) return [];
    return [`${callId} was kept, and no attempt to ${phone} names it`];
  });
}

export function everyResultHasItsAttempt({ attempts, ledger, kept, plan }: Evidence): string[] {
  const losesNothing = plan.crashes.length === 0 && plan.disk.length === 0 && plan.restore === null;
  return ledger.calls.flatMap(({ callId, phone }) => {
    if (!kept.settled.has(callId) && !(losesNothing && ledger.given.has(callId))) return [];
    const row = attempts.find((other) => other.call_id === callId);
    return row?.call_summary === callId
      ? []
      : [`the result of ${callId} (${phone}) is not exported`];
  });
}

/** Who rang without a name is in doubt, once for each time. */
export function nobodyRangUnnoticed({ attempts, ledger }: Evidence): string[] {
  const unnamed = ledger.calls.filter(({ callId }) => !attempts.some((a) => a.call_id === callId));
  return [...new Set(unnamed.map(({ phone }) => phone))].flatMap((phone) => {
    const rang = unnamed.filter((call) => call.phone === phone).length;
    const doubts = attempts.filter(
      (row) =>
        (row.call_dialled_phone ?? row.call_phone) === phone &&
        row.call_id === null &&
        row.call_attempt_state === 'unconfirmed',
    );
    if (doubts.length >= rang) return [];
    return [
      `${phone} rang ${rang} times without a name, and ${doubts.length} attempts are in doubt`,
    ];
  });
}
