import type { ConsoleStore, LogEntry, LogQuery } from '../../store/console.ts';
import type { World } from '../world.ts';
import { kindsWith, kindText, logSentence } from './log-words.ts';

/** What an operation on users and tokens needs of the world: `user` is who does it, in the log. */
export type Actor = Pick<World, 'clock' | 'user' | 'passwordCost'>;

/** Notes a change that `actor` has made. Details never hold a secret. */
export function noteChange(
  store: ConsoleStore,
  { clock, user }: Actor,
  what: string,
  target: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  return store.appendLog({ at: clock.now(), who: user, what, target, outcome: 'done', detail });
}

/** An entry with the sentence that people read. */
export type LogLine = LogEntry & { text: string };

/** A page of who did what, the newest first. A text is looked for in the words of the sentences, too. */
export async function listLog(
  store: ConsoleStore,
  query: Omit<LogQuery, 'kinds'>,
): Promise<LogLine[]> {
  const entries = await store.logPage({ ...query, kinds: kindsWith(query.text ?? '') });
  return entries.map((entry) => ({ ...entry, text: logSentence(entry) }));
}

/** By whom and what the log can be filtered: everybody who is in it, and every kind of entry with its words. */
export async function logChoices(
  store: ConsoleStore,
): Promise<{ who: string[]; what: { what: string; text: string }[] }> {
  const { who, what } = await store.logNames();
  return { who, what: what.map((kind) => ({ what: kind, text: kindText(kind) })) };
}
