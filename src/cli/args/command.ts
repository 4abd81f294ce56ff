import type { z } from 'zod';
import type { CommandIo } from '../io.ts';
import type { Outcome } from '../print/outcome.ts';

/** The groups of `callsheet --help`, in its order. */
export const GROUPS = [
  'Begin',
  'Run',
  'Watch',
  'Lists',
  'Results',
  'Service',
  'Console',
  'Repair',
] as const;

/**
 * One row of the command table (commands.ts): what `callsheet --help` shows. The rest of a command is loaded only when
 * that command is run, so that help and mistakes are answered quickly.
 */
export interface CommandRow {
  /** One or two words, e.g. `run`, `agents list`. */
  name: string;
  /** The name and its arguments, e.g. `run <list|campaign>`; `<a>` is needed, `[a]` may be left out. */
  usage: string;
  group: (typeof GROUPS)[number];
  /** One line, no full stop. */
  describe: string;
  load: () => Promise<Command>;
}

/** One file of commands/: what `callsheet <name> --help` shows, and what it does. */
export interface Command<
  A extends Arguments = Arguments,
  O extends Options = Options,
  S extends z.ZodType = z.ZodType,
> {
  /** Keyed by the first word in usage: `<list|campaign>` is `list`, `<setting..>` is `setting`. */
  arguments: A;
  options: O;
  /** At least one: a command line without `callsheet`, and what it does. */
  examples: readonly (readonly [command: string, what: string])[];
  /** What `--json` prints: a view; a command without it has no `json`. Of one that prints a line a value, the view of one. */
  json?: S;
  /** The next step in the error for one argument too many. */
  tooMany?: string;
  /** Sentences below the examples with what is worth knowing before use; lines end by column 100. */
  notes?: string;
  /** @param commands the command table, for commands that print other commands */
  run(
    args: Args<A, O>,
    io: CommandIo,
    commands: readonly CommandRow[],
  ): Promise<Outcome<z.infer<S>>>;
}

export type Arguments = Readonly<Record<string, ArgumentSpec>>;
export type Options = Readonly<Record<string, OptionSpec>>;

export interface ArgumentSpec {
  describe: string;
  /** `<a>` in usage; its value is always there. */
  required?: true;
  /** `<a..>` in usage; its value is a list with at least one. */
  several?: true;
}

/** Every value is text as typed: a phone number is never a number. */
export interface OptionSpec {
  /** `texts` may be given several times, `switch` takes no value; left out, it takes one. */
  type?: 'texts' | 'switch';
  describe: string;
  /** One letter, e.g. `o` for `-o`. */
  alias?: string;
  choices?: readonly string[];
  default?: string;
  required?: true;
}

/** The argument of `run`: every option by its camel-case name, e.g. `args.logLevel`, as in requests to src/app. */
export type Args<A extends Arguments, O extends Options> = CommonArgs & {
  [K in keyof A]: A[K] extends { several: true }
    ? string[]
    : A[K] extends { required: true }
      ? string
      : string | undefined;
} & OptionValues<O>;

export type OptionValues<O extends Options> = {
  [K in keyof O as CamelCase<K & string>]: OptionValue<O[K]>;
};

type CamelCase<S extends string> = S extends `${infer A}-${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S;

export interface CommonArgs {
  logLevel: string;
  json: boolean;
}

type OptionValue<S extends OptionSpec> = S extends { type: 'switch' }
  ? boolean
  : S extends { type: 'texts' }
    ? string[]
    : S extends { required: true } | { default: string }
      ? string
      : string | undefined;

/** Gives `run` the types that follow from `arguments` and `options`. */
export function defineCommand<
  const A extends Arguments = None,
  const O extends Options = None,
  S extends z.ZodType = z.ZodNever,
>(command: Defined<Command<A, O, S>>): Command {
  // Losing the exact type is safe: the parser builds `args` from these very specs.
  return { arguments: {}, options: {}, ...command };
}

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no key at all, where a record has any
type None = {};

/** A command without arguments or options leaves them out. */
type Defined<C extends Command> = Omit<C, 'arguments' | 'options'> &
  Partial<Pick<C, 'arguments' | 'options'>>;
