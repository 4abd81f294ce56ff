/** The hint for a value that is not allowed; the command line adds the command's name to it. */
export const MEND_VALUE = 'mend the value; `callsheet --help` says what is allowed';

/** The same for a campaign file. */
export const MEND_FILE = 'mend the file; `callsheet --help` says what is allowed';

/** The example that shows every key, where it exists; from the folder that holds `campaigns/`. */
export const EXAMPLE_FILE = 'campaigns/example.yaml';
