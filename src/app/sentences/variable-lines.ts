import { normalizeHeader } from '../../text/fold-words.ts';
import { counted, someOf } from '../../text/plural.ts';
import type { VariablesReport } from '../services/prompt-variables.ts';

/** So many columns are named. */
const COLUMNS_NAMED = 8;

/**
 * Whether the rows of the lists reach the agent's prompt.
 *
 * @param always false: nothing is said of a prompt that was read and needs nothing, as before each run
 */
export function variableLines(report: VariablesReport, always: boolean): string[] {
  const { prompt, blank, unsent, columns } = report;
  if (!always && prompt?.length === 0 && blank.length === 0) return [];
  return [
    promptLine(prompt),
    ...blank.map(({ name, people, lacking }) => {
      const same = columns.find((column) => normalizeHeader(column) === normalizeHeader(name));
      const near = same === undefined ? '' : ` (its "${same}" has another name)`;
      const why = lacking ? `the list has no column "${name}"${near}: ` : '';
      return `  ${name}: ${why}blank for ${counted(people, 'person', 'people')}`;
    }),
    sentLine(report),
    ...(unsent.length > 0 && (report.allIn !== null || report.single.length > 0)
      ? [`  not sent: ${unsent.join(', ')}`]
      : []),
  ];
}

function promptLine(prompt: VariablesReport['prompt']): string {
  if (prompt === null)
    return "The agent's prompt was not read, as the service does not show it: which columns it needs is not known.";
  if (prompt.length === 0) return "The agent's prompt needs no column of the list.";
  return `The agent's prompt needs ${prompt.join(', ')} of each row.`;
}

function sentLine({ allIn, single, columns, hasField }: VariablesReport): string {
  if (!hasField)
    return 'No column reaches the agent: the service has no field for variables, so a call sends the number alone.';
  const fields = single.map(({ field, from }) => `${from} as ${field}`);
  if (allIn === null && fields.length === 0)
    return 'No column reaches the agent: the profile sends none; write {{variables?}} into its dial.body.';
  const all =
    allIn === null
      ? []
      : [`every column under its own name in ${allIn} (${someOf(columns, COLUMNS_NAMED)})`];
  return `Sent with each call: ${[...all, ...fields].join('; ')}.`;
}
