import { own } from '../safe-text.ts';

/** Where the variables of a list's rows are: the indexes of the columns of each name, in the list's order. */
type VariableColumns = ReadonlyMap<string, readonly number[]>;

/** A variable has the trimmed name of its column; columns without a name are none. */
export function variableColumns(headers: readonly string[]): VariableColumns {
  const columns = new Map<string, number[]>();
  headers.forEach((header, at) => {
    const name = header.trim();
    if (name !== '') columns.set(name, [...(columns.get(name) ?? []), at]);
  });
  return columns;
}

/** The variable of a row: where several columns have its name, the first cell that is not blank; blank: ''. */
export function variableIn(cells: readonly string[], columns: readonly number[] = []): string {
  for (const at of columns) {
    const cell = cells[at] ?? '';
    if (cell.trim() !== '') return cell;
  }
  return '';
}

/**
 * Why a person is held whose row has no word for the agent's prompt; null: it has all of them.
 * @param needed names of columns; null: the prompt has not been read yet
 */
export function blankReason(
  needed: readonly string[] | null,
  variables: Readonly<Record<string, string>>,
): string | null {
  if (needed === null)
    return "the agent's prompt has not been read since agent or `variables: require` was set; start the campaign again";
  const blank = needed.filter((name) => (own(variables, name) ?? '').trim() === '');
  if (blank.length === 0) return null;
  const are = blank.length === 1 ? 'is' : 'are';
  return `${blank.map((name) => `"${name}"`).join(', ')} ${are} blank in the list`;
}

/** How a service's prompts refer to a variable: `{{first_name}}` or `{first_name}`. */
export const NAMINGS = ['{{name}}', '{name}'] as const;
type Naming = (typeof NAMINGS)[number];

/** A name, then the filters or the default behind `|`. It needs linear time, as prompts are texts from outside. */
const DOUBLE = /\{\{([^{}|]*)(\|[^{}]*)?\}\}/gu;
/** Stricter, because prompts also contain JSON in single braces. */
const SINGLE = /\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*()\}/gu;
/** Template words such as `#if`, `/if`, `else` are no names. */
const NAME = /^[\p{L}_]/u;
const TEMPLATE_WORDS = /^(else|this|if|for|end\w*)\b/;

/**
 * The variables that a prompt needs from the list, each once, in the order of the prompt. A variable with a default
 * (`{{plan | default}}`) does not need one, unless the prompt also uses it without.
 * @param own names that the service fills in itself; `telnyx_*` is all that begin so
 */
export function promptNames(prompt: string, naming: Naming, own: readonly string[] = []): string[] {
  const found = prompt.matchAll(naming === '{{name}}' ? DOUBLE : SINGLE);
  const names = Array.from(found, ([, name = '', after = '']) => ({ name: name.trim(), after }))
    .filter(({ after }) => !/default/i.test(after))
    .map(({ name }) => name)
    .filter((name) => NAME.test(name) && !TEMPLATE_WORDS.test(name))
    .filter((name) => !own.some((one) => isLike(name, one)));
  return [...new Set(names)];
}

function isLike(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
