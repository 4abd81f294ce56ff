import { describe, expect, it } from 'vitest';
import { createLog, type LogLevel } from '../../src/runtime/log.ts';

const logged = (level: LogLevel) => {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => lines.push(line) });
  return { log, lines, first: () => JSON.parse(lines[0] ?? '') as Record<string, unknown> };
};

describe('the log', () => {
  it('writes an event with its fields as one JSON object a line', () => {
    const { log, lines, first } = logged('info');
    log.info('call.placed', { campaign: 'spring', attempt: 2 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(first()).toMatchObject({
      level: 'info',
      event: 'call.placed',
      campaign: 'spring',
      attempt: 2,
    });
    expect(first()).not.toHaveProperty('pid');
  });

  it.each([
    ['silent', 0],
    ['error', 1],
    ['warn', 2],
    ['info', 3],
    ['debug', 4],
  ] as const)('at level %s writes %d of error, warn, info and debug', (level, count) => {
    const { log, lines } = logged(level);
    log.error('a.failed');
    log.warn('a.slowed');
    log.info('a.done');
    log.debug('a.looked');
    expect(lines).toHaveLength(count);
  });

  it('masks phone numbers wherever they stand', () => {
    const { log, lines } = logged('debug');
    log.debug('dial.answered', {
      phone: '+12125550123',
      detail: 'said "number +442079460123 is busy"',
      nested: { list: ['+12125550199'] },
    });
    expect(lines[0]).not.toMatch(/\+\d{7}/);
    expect(lines[0]).toContain('"phone":"+1********23"');
    expect(lines[0]).toContain('number +4*********23 is busy');
  });

  it.each([
    '+1 (212) 555-0123',
    '212/555/0123',
    '212\u00a0555\u00a00123',
    '212–555–0123',
    '+1.212.555.0123',
    '＋１２１２５５５０１２３',
    '２１２５５５０１２３',
    '٢١٢٥٥٥٠١٢٣',
    '२१२-५५५-०१२३',
    '𝟐𝟏𝟐𝟓𝟓𝟓𝟎𝟏𝟐𝟑',
  ])('masks a number however it is written: %s', (number) => {
    const { log, lines } = logged('info');
    log.info('poll.failed', { detail: `busy: ${number}.`, deep: [{ said: number }] });
    const [line = ''] = lines;
    expect(line).toContain('****');
    expect(line).not.toMatch(/\p{Nd}[^\p{Nd}"]{0,3}\p{Nd}[^\p{Nd}"]{0,3}\p{Nd}[^"]*\}\]?\}\n$/u);
    expect(line).not.toContain(Array.from(number).slice(2, -2).join(''));
  });

  it('leaves ids, times, dates, addresses and figures readable', () => {
    const fields = {
      callId: 'call-1234567890',
      id: '1234567890',
      uuid: '550e8400-e29b-41d4-a716-446655440000',
      at: 1_767_625_200_000,
      next: '2026-01-05T15:00:00.000Z',
      days: '2026/01/05 to 05.01.2026',
      host: 'http://192.168.100.200:8787/v1',
    };
    const { log, first } = logged('info');
    log.info('call.placed', fields);
    expect(first()).toMatchObject(fields);
  });
});
