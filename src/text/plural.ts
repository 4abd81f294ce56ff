import { grouped } from './amounts.ts';

/** `1 lead`, `2 leads`, `20,000 leads`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Text from a service or the system as a sentence of ours, with one full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
