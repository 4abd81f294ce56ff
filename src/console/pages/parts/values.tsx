import { computed } from '@preact/signals';
import { localMinute, shortTime, zonedTime } from '../../../text/times.ts';
import { consoleNow } from '../api/client.ts';
import { session } from '../shell/session.ts';

const whole = new Intl.NumberFormat('en-GB');
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

/** `1,234,567`. */
export function amount(n: number): string {
  return whole.format(n);
}

/** @param share 0 to 1; null: a dash */
export function share(share: number | null): string {
  return share === null ? '–' : percent.format(share);
}

/** `1 call`, `1,200 calls`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${amount(n)} ${n === 1 ? one : many}`;
}

/** `2.1 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Dials that made no call, or perhaps none. */
export function otherDials(dials: { refused: number; inDoubt: number; notMade: number }): string {
  const { refused, inDoubt, notMade } = dials;
  return `${amount(refused)} refused, ${amount(inDoubt)} in doubt, ${amount(notMade)} not made`;
}

/** The zone of what belongs to no campaign: that of the machine. */
export const machineZone = computed(() => session.value?.timezone ?? 'UTC');

/** Epoch ms, or ISO 8601 with an offset. */
export type Moment = number | string;

/** `18:52` of today, else `Wed 2026-11-25 18:52`; or always the `time` or the `day` alone. */
export function timeText(at: Moment, zone: string, part?: 'time' | 'day'): string {
  const ms = new Date(at).getTime();
  if (part === undefined) return shortTime(ms, consoleNow(), zone);
  const text = localMinute(ms, zone);
  return part === 'time' ? text.slice(-'hh:mm'.length) : text.slice(0, -' hh:mm'.length);
}

/**
 * A moment in a zone, as `timeText` has it; to the second, with the offset, when the pointer is on it.
 *
 * @param at null: a dash
 * @param zone IANA name; default the machine's
 */
export function Time({
  at,
  zone = machineZone.value,
  part,
}: {
  at: Moment | null | undefined;
  zone?: string | undefined;
  part?: 'time' | 'day';
}) {
  if (at === null || at === undefined) return <span class="soft">–</span>;
  const date = new Date(at);
  return (
    <time
      class="nowrap number-like"
      dateTime={date.toISOString()}
      title={`${zonedTime(zone)(date.getTime())} ${zone}`}
    >
      {timeText(at, zone, part)}
    </time>
  );
}

/** A number beside the name of its person; null: no list names them. */
export function Who({ name, phone }: { name: string | null; phone: string }) {
  return (
    <>
      {name !== null && <span class="break">{name} </span>}
      <span class="nowrap number-like">{phone}</span>
    </>
  );
}

/** The same in words. */
export const whoText = (name: string | null, phone: string): string =>
  name === null ? phone : `${name}, ${phone}`;
