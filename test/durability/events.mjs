// Reads the output of `strace -f -y -ttt`: what was written and synced, and what was sent, in order.

/** `1234 1700000000.123456 call(4</path>, "...", 9) = 9`, or one of its two halves. */
const LINE = /^(\d+) +(\d+\.\d+) (.*)$/;
const RESUMED = /^<\.\.\. \w+ resumed>(.*)$/;
const UNFINISHED = ' <unfinished ...>';

/**
 * @returns `{kind: 'write' | 'sync' | 'dial', file, text, start, end, beganAt, at}` by their ends: `start` and
 *   `end` are numbers of lines, since another thread may work in between; `beganAt` and `at` are seconds
 */
export function eventsOf(trace) {
  const pending = new Map();
  const events = [];
  for (const [number, line] of trace.split('\n').entries()) {
    const [, pid, seconds, call] = LINE.exec(line) ?? [];
    if (call === undefined) continue;
    const at = Number(seconds);
    const resumed = RESUMED.exec(call);
    if (resumed !== null) {
      const begun = pending.get(pid);
      pending.delete(pid);
      if (begun === undefined) continue;
      const place = { start: begun.start, end: number, beganAt: begun.at, at };
      add(begun.text + resumed[1], place);
    } else if (call.endsWith(UNFINISHED)) {
      pending.set(pid, { text: call.slice(0, -UNFINISHED.length), start: number, at });
    } else add(call, { start: number, end: number, beganAt: at, at });
  }
  return events;

  function add(text, place) {
    const event = toEvent(text);
    if (event !== null) events.push({ ...event, ...place });
  }
}

function toEvent(text) {
  if (/= -1 /.test(text)) return null;
  const [, name, path] = /^(\w+)\(\d+<([^>]*)>/.exec(text) ?? [];
  const file = /\.db-wal$/.test(path) ? 'log' : /\.db\.dials$/.test(path) ? 'journal' : null;
  if (file !== null) return { kind: /sync$/.test(name) ? 'sync' : 'write', file, text };
  return /"POST [^"]*\/calls\/outbound /.test(text) ? { kind: 'dial', file: null, text } : null;
}

/**
 * Every dial with what should have come before it and did not: `missing` as a sentence, or null.
 * `sinceSyncMs`: from the end of the journal's sync to the dial.
 */
export function dialsIn(events) {
  return events.filter(({ kind }) => kind === 'dial').map((dial) => judge(dial, events));
}

function judge(dial, events) {
  const key = /idempotency-key: (\w+)/i.exec(dial.text)?.[1] ?? '(none)';
  let after = { end: -1 };
  for (const file of ['log', 'journal']) {
    const written = next('write', file, (text) => text.includes(key));
    if (written === undefined)
      return { key, missing: `not written to the ${file}`, sinceSyncMs: null };
    after = written;
    const synced = next('sync', file, () => true);
    if (synced === undefined)
      return { key, missing: `the ${file} was not synced`, sinceSyncMs: null };
    after = synced;
  }
  return { key, missing: null, sinceSyncMs: (dial.beganAt - after.at) * 1_000 };

  /** The first that began when the one before had ended, and ended before the dial began. */
  function next(kind, file, hasText) {
    return events.find(
      (event) =>
        event.kind === kind &&
        event.file === file &&
        event.start > after.end &&
        event.end < dial.start &&
        hasText(event.text),
    );
  }
}
