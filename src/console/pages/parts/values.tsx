import { computed } from '@preact/signals';
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

const formats = new Map<string, Intl.DateTimeFormat>();

type Parts = 'time' | 'day' | 'short' | 'exact' | 'full' | 'offset';
const PARTS: Record<Parts, Intl.DateTimeFormatOptions> = {
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  short: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  exact: {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  },
  full: {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'longOffset' },
  },
  offset: { timeZoneName: 'longOffset' },
};

/** Epoch ms, or ISO 8601 with an offset. */
export type Moment = number | string;

/** Formats are dear to make, so each is made once. */
export function timeText(at: Moment, zone: string, parts: Parts): string {
  const key = `${parts} ${zone}`;
  let format = formats.get(key);
  if (format === undefined) {
    const how = { ...PARTS[parts], hourCycle: 'h23', timeZone: zone } as const;
    format = new Intl.DateTimeFormat('en-GB', how);
    formats.set(key, format);
  }
  return format.format(new Date(at));
}

/**
 * A moment in a zone, `Wed 25 Nov, 18:52`; the whole of it, with the offset, when the pointer is on it.
 *
 * @param at null: a dash
 * @param zone IANA name; default the machine's
 */
export function Time({
  at,
  zone = machineZone.value,
  parts = 'short',
}: {
  at: Moment | null | undefined;
  zone?: string | undefined;
  parts?: Exclude<Parts, 'full' | 'offset'>;
}) {
  if (at === null || at === undefined) return <span class="soft">–</span>;
  return (
    <time
      class="nowrap number-like"
      dateTime={new Date(at).toISOString()}
      title={`${timeText(at, zone, 'full')} (${zone})`}
    >
      {timeText(at, zone, parts)}
    </time>
  );
}

/** A length of time for people: `8 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. @param ms not below 0 */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return joined(hours, 'h', minutes % 60, 'min');
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
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
