/** What a unit of `callsheet serve` is made of; every path is absolute. */
export interface UnitRequest {
  /** The Node that runs now, and the script of callsheet. */
  program: readonly [node: string, script: string];
  /** Flags and their values, as `serve` gets them. Never a key: a unit can be read by everybody on the machine. */
  words: readonly string[];
  /** The working folder: paths in campaign files start from it. */
  folder: string;
  /** Variables that say where data is, e.g. `CALLSHEET_HOME`; never a secret. */
  env: Readonly<Record<string, string>>;
  /** The account that `serve` runs as. */
  user: string;
  /** Folders that `serve` writes to: those of the database and of the log. */
  writes: readonly string[];
  /** How long a clean stop may take, ms. */
  stopMs: number;
}

/** A file of this name holds the keys of the services, one `NAME=value` a line; callsheet never writes to it. */
export const KEYS_FILE = '/etc/callsheet.env';

/** After a failure it is started again after this time: long enough that a log is not flooded. */
export const RESTART_AFTER_S = 30;
