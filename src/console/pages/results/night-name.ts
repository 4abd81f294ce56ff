import { timeText } from '../parts/times.tsx';

/** A night's date for people, `Wed 25 Nov`; `before`: calls from before nights were kept. */
export function nightName(night: string): string {
  const at = Date.parse(`${night}T12:00:00Z`);
  return Number.isNaN(at) ? 'before nights were kept' : timeText(at, 'UTC', 'day');
}
