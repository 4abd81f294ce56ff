import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { parseYaml, problemsError, type Place, type Problem } from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';

/** A key of a group and what stands behind it. */
export interface Field {
  key: string;
  /** The key with those of the groups around it, for messages: `caps[0].calls`. */
  dotted: string;
  node: Node | null;
  keyAt: Place;
  valueAt: Place;
}

/** The fields of a group by key, and where the group is. */
export interface Group {
  dotted: string;
  at: Place;
  /** False: something else stands there, which is among the problems; then there are no fields. */
  isGroup: boolean;
  fields: ReadonlyMap<string, Field>;
}

export type YamlReader = ReturnType<typeof yamlReader>;

/** Reads a file of rules: every value stays the text that was written, every mistake is collected with its place. */
export function yamlReader(text: string) {
  const { document, placeAt } = parseYaml(text, { schema: 'failsafe', stringKeys: true });
  const problems: Problem[] = [];
  const wrong = (at: Place, sentence: string) => {
    problems.push({ line: at.line, column: at.column, sentence });
  };
  const placeOf = (node: Node | null | undefined, otherwise: Place): Place =>
    node?.range ? placeAt(node.range[0]) : otherwise;

  function groupOf(node: Node | null, dotted: string, at: Place, known: readonly string[] | null) {
    const fields = new Map<string, Field>();
    if (!isMap(node)) {
      const sentence = `${dotted === '' ? 'the file' : dotted} must be a group of \`key: value\``;
      wrong(
        placeOf(node, at),
        known === null ? `${sentence}.` : `${sentence} with ${known.join(', ')}.`,
      );
      return { dotted, at, isGroup: false, fields };
    }
    for (const pair of node.items) {
      const { value: key, range } = pair.key as Scalar<string>;
      const keyAt = range ? placeAt(range[0]) : at;
      const value = pair.value as Node | null;
      const path = dotted === '' ? key : `${dotted}.${key}`;
      if (known === null || known.includes(key))
        fields.set(key, { key, dotted: path, node: value, keyAt, valueAt: placeOf(value, keyAt) });
      else wrong(keyAt, unknown(path, key, known));
    }
    return { dotted, at: placeOf(node, at), isGroup: true, fields };
  }

  return {
    problems,
    wrong,
    /** The day on which figures without one of their own were checked: `2026-11-27`. */
    checked: '',
    /** The whole file; undefined: it is no YAML, and that is among the problems. */
    root(known: readonly string[]): Group | undefined {
      const [error] = document.errors;
      if (error === undefined) return groupOf(document.contents, '', { line: 1, column: 1 }, known);
      const sentence = error.message.startsWith('Map keys must be unique')
        ? 'this key is given twice; keep one of the two.'
        : `this is not YAML: ${error.message.replace(/\.?$/, '.')}`;
      wrong(placeAt(error.pos[0]), sentence);
      return undefined;
    },
    /** @param known null: any key may stand there, and the caller decides */
    group(field: Field, known: readonly string[] | null): Group {
      return groupOf(field.node, field.dotted, field.valueAt, known);
    },
    /** The items of a list as fields `caps[0]`, `caps[1]`; a single value is a list of one. */
    items({ key, dotted, node, keyAt, valueAt }: Field): Field[] {
      const nodes = isSeq(node) ? (node.items as Node[]) : [node];
      if (nodes.length === 0)
        wrong(valueAt, `${dotted} is empty; give at least one, or leave the key out.`);
      return nodes.map((item, index) => {
        const at = placeOf(item, valueAt);
        return { key, dotted: `${dotted}[${index}]`, node: item, keyAt, valueAt: at };
      });
    },
    /** One text; undefined: the value is empty, a list, a group or an alias, and that is among the problems. */
    text({ dotted, node, valueAt }: Field, what: string): string | undefined {
      const value = isScalar(node) ? String(node.value).trim() : '';
      if (value !== '') return value;
      wrong(valueAt, `${dotted} is empty or not one value; it must be ${what}.`);
      return undefined;
    },
    /** @throws AppError `RULES_INVALID`, if there are problems */
    done(path: string) {
      if (problems.length > 0) throw problemsError('RULES_INVALID', path, problems, HINT);
    },
  };
}

const HINT =
  'mend the file and run `callsheet rules check` on it; campaigns/rules/README.md explains every key';

function unknown(dotted: string, key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === undefined
    ? `"${dotted}" is not a key; known here are ${known.join(', ')}.`
    : `"${dotted}" is not a key; did you mean "${near}"?`;
}
