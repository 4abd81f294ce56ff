import { counted, someOf } from '../../text/plural.ts';
import { isAll, type VariablesReport } from '../services/prompt-variables.ts';

/** So many columns are named. */
const COLUMNS_NAMED = 8;

/**
 * Whether the rows of the lists reach the agent's prompt.
 *
 * @param always false: nothing is said of a prompt that was read and needs nothing, as before each run
 */
export function variableLines(report: VariablesReport, always: boolean): string[] {
  const { prompt, blank, unsent, sent } = report;
  if (!always && prompt?.length === 0 && blank.length === 0) return [];
  return [
    prompt === null
      ? "The agent's prompt was not read, as the service does not show it: which columns it needs is not known."
      : `The agent's prompt needs ${prompt.length === 0 ? 'no column of the list' : `${prompt.join(', ')} of each row`}.`,
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
    return 'No column reaches the agent: the service has no field for variables, so a call sends the number alone.';
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
