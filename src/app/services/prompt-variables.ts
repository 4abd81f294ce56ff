import type { RequiredVariables } from '../../domain/campaign.ts';
import {
  isPersonField,
  promptNames,
  variableColumns,
  variableIn,
} from '../../domain/lists/person.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import type { Profile } from '../../service/profile/profile.ts';
import type { ExportCursor } from '../../store/port.ts';
import { counted, someOf } from '../../text/wording.ts';
import type { VariablesReport } from '../../views/plan.ts';
import type { Plan } from '../plan/plan.ts';

type Dial = Profile['dial'];

/** Finds in the service's answer and the lists what reaches the agent; asks nobody. */
export async function variablesOf(plan: Plan, agent: Agent | null): Promise<VariablesReport> {
  const { dial } = plan.opened.profile;
  const prompt = namesIn(agent, dial);
  const { variables } = plan.resolved.settings;
  const named = variables?.from === 'named' ? variables.columns : [];
  const needed = [...new Set([...(prompt ?? []), ...(named ?? [])])];
  const sent = Array.from(dial.body.filled, ([field, from]) => ({ field, from }));
  return {
    prompt,
    ...(await countBlank(
      plan,
      needed.map((name) => ({ name, column: columnOf(name, dial) })),
    )),
    unsent: needed.filter((name) => columnOf(name, dial) === undefined),
    sent: sent.filter(({ from }) => isAll(from) || from.startsWith('lead.') || isPersonField(from)),
    hasField: dial.variables !== 'none',
  };
}

/** The columns that must not be blank, as the campaign keeps them for its claims; undefined: none has to be there. */
export function requiredNow({ resolved, opened }: Plan, agent: Agent | null) {
  const { variables } = resolved.settings;
  if (variables === undefined) return undefined;
  const { config, profile } = opened;
  const { from } = variables;
  const read = from === 'prompt' ? namesIn(agent, profile.dial) : null;
  const names = read ?? variables.columns;
  if (names === null) {
    throw usageError(
      'VARIABLES_UNREAD',
      `variables: require needs the prompt of agent "${resolved.settings.agent}", and ${config.name} does not show it.`,
      'name the columns: `variables: [first_name, plan]`, or --set variables=first_name,plan',
    );
  }
  const columns = names.flatMap((name) => {
    const column = columnOf(name, profile.dial);
    // A rehearsal sends the number alone, and holds the people whom the real service could not be told about.
    if (column !== undefined || config.simulated)
      return column === undefined ? name : (column ?? []);
    throw usageError(
      'VARIABLES_NOT_SENT',
      `variables: the agent needs "${name}", and no call sends it: dial.body of ${config.profile.path} has no field for it.`,
      'send it by a profile of your own (`{{variables?}}` in dial.body), or take the setting away: --set variables=none',
    );
  });
  return { from, columns: read === null ? names : columns } satisfies RequiredVariables;
}

function namesIn(agent: Agent | null, { variables }: Dial): string[] | null {
  const prompt = agent?.systemPrompt ?? null;
  const { named, own } = variables === 'none' ? NO_FIELD : variables;
  return prompt === null ? null : promptNames(prompt, named, own);
}

const NO_FIELD = { named: '{{name}}', own: [] } as const;

/** The column that a name is sent from; null: a fact about the person, which is not judged; undefined: nothing is sent. */
function columnOf(name: string, { body }: Dial): string | null | undefined {
  const from = body.filled.get(name);
  if (from?.startsWith('lead.') === true) return from.slice('lead.'.length);
  if (from !== undefined && isPersonField(from)) return null;
  return body.uses.has(`lead.${name}`) || [...body.uses].some(isAll) ? name : undefined;
}

/** Whether a value of the dial is every column. */
function isAll(value: string): boolean {
  return /^variables\b/.test(value);
}

/** Rows of the database that are read at once. */
const PAGE = 1_000;

/** Counts those who wait in the campaign and those whom the lists add. */
async function countBlank(
  { surveys, store, campaign }: Plan,
  all: readonly { name: string; column: string | null | undefined }[],
): Promise<Pick<VariablesReport, 'blank' | 'columns'>> {
  const needed = all.flatMap(({ name, column = name }) =>
    column === null ? [] : { name, column },
  );
  const people = new Map<string, number>();
  const add = (name: string, more = 0) => people.set(name, (people.get(name) ?? 0) + more);
  const columns = new Set<string>();
  const ofList = (headers: readonly string[]) => {
    const own = variableColumns(headers);
    for (const name of own.keys()) columns.add(name);
    return own;
  };
  for (const { headers, blanks, fresh } of surveys) {
    const own = ofList(headers);
    for (const { name, column } of needed) add(name, own.has(column) ? blanks.get(column) : fresh);
  }
  if (store !== undefined && campaign !== undefined) {
    const lists = new Map(
      (await store.lists(campaign.id)).map(({ number, headers, added }) => [
        number,
        ofList([...headers, ...added.map(({ header }) => header)]),
      ]),
    );
    let after: ExportCursor | null | undefined = needed.length > 0 ? null : undefined;
    while (after !== undefined) {
      const rows = await store.exportPage(campaign.id, after, PAGE, 'columns');
      for (const { cells, cursor } of rows.filter(({ state }) => state === 'waiting'))
        for (const { name, column } of needed)
          if (variableIn(cells, lists.get(cursor.list)?.get(column)) === '') add(name, 1);
      after = rows.at(-1)?.cursor;
    }
  }
  const counts = needed.map(({ name, column }) => {
    return { name, people: people.get(name) ?? 0, lacking: !columns.has(column) };
  });
  return { columns: [...columns], blank: counts.filter((one) => one.people > 0 || one.lacking) };
}

/** So many columns are named. */
const COLUMNS_NAMED = 8;

/**
 * Whether the rows of the lists reach the agent's prompt.
 * @param always false: nothing is said of a prompt that was read and needs nothing, as before each run
 */
export function variableLines(report: VariablesReport, always: boolean): string[] {
  const { prompt, blank, unsent, sent, hasField } = report;
  if (!always && prompt?.length === 0 && blank.length === 0) return [];
  const needs =
    prompt === null
      ? "The agent's prompt was not read, as the service does not show it: which columns it needs is not known."
      : `The agent's prompt needs ${prompt.length === 0 ? 'no column of the list' : `${prompt.join(', ')} of each row`}.`;
  return [
    ...(hasField || prompt?.length !== 0 ? [needs] : []),
    ...blank.map(({ name, people, lacking }) => {
      const why = lacking ? `the list has no column "${name}": ` : '';
      return `  ${name}: ${why}blank for ${counted(people, 'person', 'people')}`;
    }),
    sentLine(report),
    ...(unsent.length > 0 && sent.length > 0 ? [`  not sent: ${unsent.join(', ')}`] : []),
  ];
}

function sentLine({ sent, columns, hasField }: VariablesReport): string {
  if (!hasField)
    return 'The agent is given the number alone, no name: the service takes no more with a call.';
  const all = `every column under its own name in`;
  const fields = sent.map(({ field, from }) =>
    isAll(from)
      ? `${all} ${field} (${someOf(columns, COLUMNS_NAMED)})`
      : `${from.replace(/^lead\./, '')} as ${field}`,
  );
  return fields.length === 0
    ? 'No column reaches the agent: the profile sends none; write {{variables?}} into its dial.body.'
    : `Sent with each call: ${fields.join('; ')}.`;
}
