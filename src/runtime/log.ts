import { pino } from 'pino';
import { maskWrittenNumbers } from '../domain/phone.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The program's log. `event` is `noun.pastVerb`, e.g. `call.placed`; `fields` are ids and counts, never a
 * transcript. Phone numbers in all texts are masked before a line is written.
 */
export type Log = Record<
  Exclude<LogLevel, 'silent'>,
  (event: string, fields?: Record<string, unknown>) => void
>;

/**
 * A log that writes one JSON object per line, before the call returns.
 *
 * @param to receives the lines, e.g. stderr, as stdout is for data
 * @param of fields that are added to each line, e.g. the run; default none
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

/** The value with all phone numbers in its texts masked. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskWrittenNumbers(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
}
