import type { RequiredVariables } from '../../domain/campaign.ts';
import { isPersonField } from '../../domain/lists/person.ts';
import { promptNames } from '../../domain/lists/prompt-names.ts';
import { variableColumns, variableIn } from '../../domain/lists/row-variables.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import type { Profile } from '../../service/profile/profile.ts';
import type { ExportCursor } from '../../store/port.ts';
import type { Plan } from '../plan/plan.ts';

/** What the agent's prompt needs of the lists, and what of them reaches the agent. */
export interface VariablesReport {
  /** Names that the prompt uses without a default; null: the prompt was not read. */
  prompt: string[] | null;
  /** Needed names that are blank for people who wait to be called; `lacking`: no list has such a column. */
  blank: { name: string; people: number; lacking: boolean }[];
  /** Needed names that no call sends. */
  unsent: string[];
  /** The columns of the lists. */
  columns: string[];
  /** The field of the dial that holds all columns under their own names; null: there is none. */
  allIn: string | null;
  /** Single fields of the dial, and the column or the fact about the person that each holds. */
  single: { field: string; from: string }[];
  /** False: the service has no field for variables. */
  hasField: boolean;
}

type Dial = Profile['dial'];

/** Reads from the service's answer and the lists what reaches the agent; asks nobody. */
export async function variablesOf(plan: Plan, agent: Agent | null): Promise<VariablesReport> {
  const { dial } = plan.opened.profile;
  const prompt = namesIn(agent, dial);
  const { variables } = plan.resolved.settings;
  const named = variables?.from === 'named' ? (variables.columns ?? []) : [];
  const needed = [...new Set([...(prompt ?? []), ...named])];
  const { columns, blank } = await countBlank(
    plan,
    needed.flatMap((name) => {
      const column = columnOf(name, dial);
      return column === null ? [] : [{ name, column }];
    }),
  );
  const lines = [...dial.body.filled];
  return {
    prompt,
    blank,
    unsent: needed.filter((name) => columnOf(name, dial) === undefined),
    columns,
    allIn: lines.find(([, from]) => isAll(from))?.[0] ?? null,
    single: lines
      .filter(([, from]) => from.startsWith('lead.') || isPersonField(from))
      .map(([field, from]) => ({ field, from: from.replace(/^lead\./, '') })),
    hasField: dial.variables !== 'none',
  };
}

/**
 * The columns that must not be blank, as the campaign keeps them for its claims; undefined: none has to be there.
 *
 * @throws AppError `VARIABLES_UNREAD`, `VARIABLES_NOT_SENT` (exit 2)
 */
export function requiredNow(plan: Plan, agent: Agent | null): RequiredVariables | undefined {
  const { variables } = plan.resolved.settings;
  if (variables === undefined) return undefined;
  const { profile, config } = plan.opened;
  const { dial } = profile;
  const isNamed = variables.from === 'named';
  const names = isNamed ? variables.columns : (namesIn(agent, dial) ?? variables.columns);
  if (names === null) {
    throw usageError(
      'VARIABLES_UNREAD',
      `variables: require needs the prompt of agent "${plan.resolved.settings.agent}", and ${config.name} does not show it.`,
      'name the columns: `variables: [first_name, plan]`, or --set variables=first_name,plan',
    );
  }
  const [unsent] = names.filter((name) => columnOf(name, dial) === undefined);
  // The embedded service is given the number alone: a rehearsal holds those whom the real service would not get right.
  if (unsent !== undefined && !config.simulated) {
    throw usageError(
      'VARIABLES_NOT_SENT',
      `variables: the prompt needs "${unsent}", and no call sends it: ${config.profile.path} has no field for it in dial.body.`,
      'send it with a profile of your own (`{{variables?}}` in dial.body), or take the setting away: --set variables=none',
    );
  }
  if (isNamed) return variables;
  const columns = names.flatMap((name) => columnOf(name, dial) ?? (config.simulated ? name : []));
  return { from: 'prompt', columns: [...new Set(columns)] };
}

function namesIn(agent: Agent | null, { variables }: Dial): string[] | null {
  const { named, own } = variables === 'none' ? { named: undefined, own: [] } : variables;
  const prompt = agent?.systemPrompt ?? null;
  return prompt === null ? null : promptNames(prompt, named ?? '{{name}}', own);
}

/** The column that a name of the prompt is sent from; null: it is a fact about the person; undefined: nothing is. */
function columnOf(name: string, { body }: Dial): string | null | undefined {
  const from = body.filled.get(name);
  if (from?.startsWith('lead.') === true) return from.slice('lead.'.length);
  if (from !== undefined && isPersonField(from)) return null;
  return [...body.uses].some(isAll) ? name : undefined;
}

function isAll(from: string): boolean {
  return /^variables\b/.test(from);
}

/** Rows of the database that are read at once. */
const PAGE = 1_000;

/** Counts those who wait in the campaign and those whom the lists add. */
async function countBlank(
  { surveys, store, campaign }: Plan,
  needed: readonly { name: string; column: string | undefined }[],
) {
  const stored = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
  const known = new Map(
    stored.map(({ number, headers, added }) => [
      number,
      variableColumns([...headers, ...added.map(({ header }) => header)]),
    ]),
  );
  const people = new Map<string, number>();
  const add = (name: string, count: number) => people.set(name, (people.get(name) ?? 0) + count);
  const columns = new Set([...known.values()].flatMap((of) => [...of.keys()]));
  for (const { headers, blanks, fresh } of surveys) {
    const own = variableColumns(headers);
    for (const name of own.keys()) columns.add(name);
    for (const { name, column = name } of needed)
      add(name, own.has(column) ? (blanks[column] ?? 0) : fresh);
  }
  if (store !== undefined && campaign !== undefined && needed.length > 0) {
    for (let after: ExportCursor | null = null; ;) {
      const rows = await store.exportPage(campaign.id, after, PAGE, 'columns');
      for (const { state, cells, cursor } of rows) {
        after = cursor;
        if (state !== 'waiting') continue;
        for (const { name, column = name } of needed)
          if (variableIn(cells, known.get(cursor.list)?.get(column)) === '') add(name, 1);
      }
      if (rows.length < PAGE) break;
    }
  }
  const blank = needed.map(({ name, column = name }) => ({
    name,
    people: people.get(name) ?? 0,
    lacking: !columns.has(column),
  }));
  return { columns: [...columns], blank: blank.filter((one) => one.people > 0 || one.lacking) };
}
