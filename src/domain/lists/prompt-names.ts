/** How a service's prompts refer to a variable: `{{first_name}}` or `{first_name}`. */
export const NAMINGS = ['{{name}}', '{name}'] as const;
export type Naming = (typeof NAMINGS)[number];

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
 *
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
