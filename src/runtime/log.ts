import { pino } from 'pino';
import { maskWrittenNumbers } from '../domain/phone.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The program's log. `event` is `noun.pastVerb`, e.g. `call.placed`; `fields` are ids and counts, never a
 * transcript. Numbers are masked on their way out, wherever they stand.
 */
export type Log = Record<
  Exclude<LogLevel, 'silent'>,
  (event: string, fields?: Record<string, unknown>) => void
>;

/**
 * A log that writes one JSON object a line, before the call returns.
 *
 * @param to where the lines go: stderr, as stdout is for data
 * @param of in each line, e.g. which run it is of; default nothing
 */
export function createLog(
  level: LogLevel,
  to: { write(line: string): unknown },
  of: Readonly<Record<string, string>> | null = null,
): Log {
  const logger = pino(
    {
      level,
      base: of,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => masked(fields) as Record<string, unknown>,
      },
      messageKey: 'event',
    },
    to,
  );
  const at =
    (name: keyof Log): Log['error'] =>
    (event, fields = {}) => {
      logger[name](fields, event);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** The same value with no number readable in its texts. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskWrittenNumbers(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
}
