import { grouped } from './amounts.ts';
import { counted, textOrJson } from './wording.ts';

/** An entry of a campaign's history, as far as its sentence needs it. */
interface Entry {
  who: string;
  what: string;
  detail: Readonly<Record<string, unknown>>;
}

/** What was done, by kind of entry. The log of the console has words of its own: it notes what was asked for. */
const DID: Readonly<Record<string, string>> = {
  'campaign.created': 'created the campaign',
  'campaign.started': 'started the campaign',
  'campaign.calledNow': 'called the campaign at once, not at the times of its schedule',
  'run.confirmed': 'confirmed that people are called',
  'campaign.paused': 'paused the campaign',
  'campaign.resumed': 'resumed the campaign',
  'campaign.completed': 'completed the campaign',
  'campaign.cancelled': 'cancelled the campaign',
  'campaign.cancelUndone': 'took the cancelling back; the campaign is paused',
  'campaign.changed': 'changed the settings',
  'campaign.renamed': 'renamed the campaign',
  'campaign.archived': 'archived the campaign',
  'campaign.unarchived': 'took the campaign out of the archive',
  'campaign.retryBegun': 'began to let people be called again',
  'campaign.retried': 'let people be called again',
  'lead.cancelled': 'withdrew a person',
  'lead.cancelUndone': 'took the withdrawal of a person back',
  'leads.returned': 'let people wait again who are back on a list',
  'leads.synced': 'took the newest list as complete',
  'list.sent': 'added a list',
  'list.readOtherwise': 'changed how a list is read',
  'list.removed': 'took out a list',
  'list.givenUp': 'gave up the import of a list',
  'list.repeated': 'confirmed a list that another campaign has, too',
  'attempt.resolved': 'settled a call in doubt',
  'attempt.contradicted': 'read what contradicts the record of a call',
  'service.failing': 'found that the service fails',
  'service.answered': 'found that the service takes calls again',
  'word.unknown': 'read a word of the service that its profile does not know',
  'agent.seen': 'read the agent',
  'agent.changed': 'found that the agent was changed at the service',
  'results.owed': 'could not write the results',
  'results.written': 'wrote the results',
  // Of older versions.
  'schedule.called': 'called the campaign at a time of its schedule',
};

/** Details that are said, if an entry has them. */
const FACTS: Readonly<Record<string, (value: unknown) => string>> = {
  person: textOrJson,
  phone: textOrJson,
  waiting: (count) => `${people(count)} waited`,
  cancelled: (count) => `${people(count)} who waited left`,
  onList: (count) => `${grouped(Number(count))} on it`,
  back: people,
  results: (results) => `after ${textOrJson([results].flat().join(', ')).replaceAll('_', ' ')}`,
  people,
  list: textOrJson,
  lists: (lists) => [lists].flat().join(', '),
  as: (as) => `as ${textOrJson(as).replace('_', ' ')}`,
  note: textOrJson,
  why: textOrJson,
  word: textOrJson,
};

function people(count: unknown): string {
  return counted(Number(count), 'person', 'people');
}

function isChange(value: unknown): value is { from: unknown; to: unknown; source?: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

/**
 * An entry of a campaign's history as a sentence: `ann changed the settings: concurrency from 5 to 20.`
 *
 * @param changeText says one changed setting; default: by its key
 */
export function historyText(
  { who, what, detail }: Entry,
  changeText = (key: string, from: string, to: string) => `${key} from ${from} to ${to}`,
): string {
  const changes = Object.entries(detail).flatMap(([key, value]) =>
    // What follows another setting was changed by nobody.
    isChange(value) && !textOrJson(value.source ?? '').startsWith('follows ')
      ? [changeText(key, textOrJson(value.from), textOrJson(value.to))]
      : [],
  );
  const { from, to, reason, detail: why } = detail;
  const facts = Object.entries(FACTS).flatMap(([key, text]) => {
    const value = detail[key];
    return value == null || value === '' || isChange(value) ? [] : [text(value)];
  });
  const all = [
    ...changes,
    ...(typeof from === 'string' && typeof to === 'string' ? [`from "${from}" to "${to}"`] : []),
    ...facts,
    // Why callsheet itself has paused.
    ...(reason !== undefined && typeof why === 'string' ? [why] : []),
  ];
  const said = `${who} ${DID[what] ?? what}${all.length === 0 ? '' : `: ${all.join(', ')}`}`;
  return /[.!?]$/.test(said) ? said : `${said}.`;
}
