import type { ConsoleStore, LogEntry, LogQuery } from '../../store/console.ts';
import { timesIn } from '../../text/times.ts';
import { counted } from '../../text/wording.ts';
import type { Log, LogChoices } from '../../views/access.ts';
import type { World } from '../world.ts';

/** Who is named where nobody is signed in. */
export const NOBODY = 'nobody known';

/** What was done, what was wanted where it was refused, and to what, with the article that stands before no name. */
type Words = readonly [did: string, wanted: string, thing: string];

/** Every kind of entry. */
const WORDS: Readonly<Record<string, Words>> = {
  'campaign.begun': ['began', 'begin', 'a campaign'],
  'campaign.started': asked('start', 'a campaign'),
  'campaign.paused': ['paused', 'pause', 'a campaign'],
  'campaign.resumed': asked('go on with', 'a campaign'),
  'campaign.cancelled': ['cancelled', 'cancel', 'a campaign'],
  'campaign.changed': ['changed the settings of', 'change the settings of', 'a campaign'],
  'campaign.renamed': ['renamed', 'rename', 'a campaign'],
  'campaign.archived': ['archived', 'archive', 'a campaign'],
  'campaign.rehearsed': asked('rehearse', 'a campaign'),
  'campaign.collected': asked('collect results of', 'a campaign'),
  'results.taken': ['took the results of', 'take the results of', 'a campaign'],
  'doubt.settled': ['settled doubts of', 'settle doubts of', 'a campaign'],
  'doubts.looked': asked('look in a log for doubts of', 'a campaign'),
  'person.withdrawn': ['withdrew a person from', 'withdraw a person from', 'a campaign'],
  'person.retried': ['let a person be called again by', 'call a person again by', 'a campaign'],
  'people.drafted': asked('begin another campaign with people of', 'a campaign'),
  'people.changed': asked('change people of', 'a campaign'),
  'person.suppressed': ['suppressed a person of', 'suppress a person of', 'a campaign'],
  'draft.removed': ['gave up', 'give up', 'a draft'],
  'list.imported': ['imported the lists of', 'import the lists of', 'a campaign'],
  'list.sent': ['sent', 'send', 'a list'],
  'list.deleted': ['deleted', 'delete', 'a list'],
  'number.suppressed': ['suppressed', 'suppress', 'a number'],
  'number.lifted': ['lifted the suppression of', 'lift the suppression of', 'a number'],
  'suppression.imported': asked('suppress the numbers of', 'a file'),
  'service.added': ['added', 'add', 'a service'],
  'service.key': ['gave another key to', 'give another key to', 'a service'],
  'service.checked': asked('check', 'a service'),
  'agent.created': ['created an agent at', 'create an agent at', 'a service'],
  'delivery.replayed': ['replayed', 'replay', 'a delivery'],
  'deliveries.replayed': ['replayed', 'replay', 'all deliveries'],
  'job.answered': ['answered a question about', 'answer a question about', 'something'],
  'job.stopped': ['stopped the work on', 'stop the work on', 'something'],
  'user.added': ['added', 'add', 'a user'],
  'user.changed': ['gave another role to', 'give another role to', 'a user'],
  'user.removed': ['removed', 'remove', 'a user'],
  'password.changed': ['set the password of', 'set the password of', 'a user'],
  'token.added': ['made', 'make', 'a token'],
  'token.removed': ['removed', 'remove', 'a token'],
  'link.used': ['opened', 'open', 'a one-time link'],
  'login.tried': ['signed in', 'sign in', ''],
  // Requests without a kind of their own, which are told when they are refused.
  'POST /api/v1/session': ['tried to sign in', 'sign in', ''],
  'GET /link/:secret': ['tried to open', 'open', 'a one-time link'],
  'PUT /api/v1/session/password': ['changed', 'change', 'the own password'],
};

/** What goes on as a job, whose end is not in the log. */
function asked(wanted: string, thing: string): Words {
  return [`asked to ${wanted}`, wanted, thing];
}

const REASONS: Readonly<Record<string, string>> = {
  'refused (403)': 'refused: not allowed',
  'refused (421)': 'refused: not under this name',
  'refused (429)': 'refused: too often',
  'refused (503)': 'refused: too many at once',
};

/** What kind of entry it is, in words: `paused a campaign`. A request that only refusals name is left as it is. */
export function kindText(what: string): string {
  const [did, , thing] = WORDS[what] ?? [what, what, ''];
  return `${did} ${thing}`.trim();
}

/** The kinds whose words hold `text`; capital and small letters are the same. */
function kindsWith(text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return Object.keys(WORDS).filter((what) => kindText(what).includes(wanted));
}

/** An entry as a sentence: `ann paused the campaign "spring".` */
function logSentence({ who, what, target, outcome, detail }: LogEntry): string {
  const [did, wanted, thing] = WORDS[what] ?? ['asked for', 'ask for', what];
  const from = typeof detail['from'] === 'string' ? ` from ${detail['from']}` : '';
  const times =
    typeof detail['times'] === 'number' ? `, ${counted(detail['times'], 'more time')}` : '';
  const role = typeof detail['role'] === 'string' ? ` (${detail['role']})` : '';
  const object = named(thing, target);
  if (outcome === 'done') return `${joined(who, did, object)}${role}${from}.`;
  const why = REASONS[outcome] ?? outcome;
  // A wrong password may have been typed by somebody else than the user of that name.
  const isGuess = what === 'login.tried' || who === NOBODY;
  const subject = isGuess ? 'Somebody' : who;
  const as = what === 'login.tried' && who !== NOBODY ? `as ${who}` : '';
  return `${joined(subject, 'wanted to', wanted, object, as)}${from}, which was ${why}${times}.`;
}

/** `a campaign` with the name `spring` is `the campaign "spring"`. */
function named(thing: string, target: string | null): string {
  if (target === null || !/^an? |^something/.test(thing)) return thing;
  return `${thing.replace(/^an? /, 'the ').replace('something', '')} "${target}"`.trim();
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** What an operation on users and tokens needs of the world: `user` is who does it, in the log. */
export type Actor = Pick<World, 'clock' | 'user' | 'passwordCost' | 'timezone'>;
/** The zone in which times are told. */
export type Zone = Pick<World, 'timezone'>;

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

/** A page of who did what, the newest first. A text is looked for in the words of the sentences, too. */
export async function listLog(
  store: ConsoleStore,
  query: Omit<LogQuery, 'kinds'>,
  { timezone }: Zone,
): Promise<Log> {
  const entries = await store.logPage({ ...query, kinds: kindsWith(query.text ?? '') });
  const time = timesIn(timezone);
  const last = entries.length < query.limit ? undefined : entries.at(-1);
  return {
    items: entries.map((entry) => ({ ...entry, at: time(entry.at), text: logSentence(entry) })),
    next: last === undefined ? null : String(last.id),
  };
}

/** By whom and what the log can be filtered: everybody who is in it, and every kind of entry with its words. */
export async function logChoices(store: ConsoleStore): Promise<LogChoices> {
  const { who, what } = await store.logNames();
  return { who, what: what.map((kind) => ({ what: kind, text: kindText(kind) })) };
}
