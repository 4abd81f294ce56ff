import { type AppError, usageError } from '../../runtime/errors.ts';
import { seededRandom } from '../../runtime/random.ts';

/**
 * What can go wrong with a dial. `drop-request`, `429`, `500-before` and `503` place no call. With the other faults the
 * phone has rung: `drop-response` (connection cut), `delay` (answered 1-10 s late), `500-after`, `cut-body` (half an
 * answer), `bad-json`, `no-id`.
 */
export const DIAL_FAULTS = [
  'drop-request',
  'drop-response',
  'delay',
  '429',
  '500-before',
  '500-after',
  '503',
  'cut-body',
  'bad-json',
  'no-id',
] as const;

/** What can go wrong with a GET of agents or analytics. */
export const READ_FAULTS = ['read-500', 'read-drop', 'read-bad-json', 'read-html'] as const;

/**
 * What can go wrong with an event: `webhook-lost` (never sent), `webhook-repeat` (sent two or three times),
 * `webhook-early` (the call ends at once, and call.finished arrives before the answer to the dial), `webhook-late` (5
 * to 60 min later), `webhook-reorder` (delayed, so that later events overtake it), `webhook-unsigned` (without its
 * signature).
 */
export const WEBHOOK_FAULTS = [
  'webhook-lost',
  'webhook-repeat',
  'webhook-early',
  'webhook-late',
  'webhook-reorder',
  'webhook-unsigned',
] as const;

export type DialFault = (typeof DIAL_FAULTS)[number];
export type ReadFault = (typeof READ_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];
type Fault = DialFault | ReadFault | WebhookFault;

/** The probability (0 to 1) of each fault; a request or an event has one fault at most. */
export type Faults = Partial<Record<Fault, number>>;

/** Parses `drop-request=0.01,500-after=0.02`; the empty text means no faults. */
export function parseFaults(text: string): Faults {
  const faults: Faults = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    faults[knownName(name)] = probability(name, value);
  }
  assertSum('dials', DIAL_FAULTS, faults);
  assertSum('reads', READ_FAULTS, faults);
  assertSum('webhooks', WEBHOOK_FAULTS, faults);
  return faults;
}

export interface FaultDraw<Name> {
  name: Name;
  /** How severe the fault is, in [0, 1); used by faults that have a degree, such as a delay. */
  degree: number;
}

/**
 * Draws the fault of a request or event: the same in every run with the same seed.
 *
 * @param what the name of the request or event, with its ordinal, so that each try draws a fault of its own
 */
export function drawFault<Name extends Fault>(
  names: readonly Name[],
  { faults, seed }: { faults: Faults; seed: string },
  what: string,
): FaultDraw<Name> | undefined {
  if (names.every((name) => (faults[name] ?? 0) === 0)) return undefined;
  const random = seededRandom(`${seed}/fault/${what}`);
  let left = random();
  for (const name of names) {
    left -= faults[name] ?? 0;
    if (left < 0) return { name, degree: random() };
  }
  return undefined;
}

const ALL_FAULTS: readonly Fault[] = [...DIAL_FAULTS, ...READ_FAULTS, ...WEBHOOK_FAULTS];

function knownName(name: string): Fault {
  const known = ALL_FAULTS.find((fault) => fault === name);
  if (known !== undefined) return known;
  throw usageError(
    'SIMULATOR_FAULT_UNKNOWN',
    `Faults: "${name}" is not a fault; allowed are ${ALL_FAULTS.join(', ')}.`,
    'Write them as drop-request=0.01,500-after=0.02.',
  );
}

function probability(name: string, value: string): number {
  const number = Number(value);
  if (value !== '' && number >= 0 && number <= 1) return number;
  throw improbable(`Faults, ${name}: "${value}" is not a probability; allowed is 0 to 1.`);
}

function assertSum(of: string, names: readonly Fault[], faults: Faults): void {
  const sum = names.reduce((total, name) => total + (faults[name] ?? 0), 0);
  if (sum <= 1 + Number.EPSILON * names.length) return;
  throw improbable(`Faults of ${of} add up to ${Number(sum.toFixed(6))}; allowed is 1 at most.`);
}

function improbable(message: string): AppError {
  const hint = 'Write e.g. drop-request=0.01 for one dial in a hundred.';
  return usageError('SIMULATOR_FAULT_PROBABILITY', message, hint);
}
