/** What a cell says about calling its person; a day is `YYYY-MM-DD`. */
export type CallRefusal =
  /** The person refuses calls: they go on the suppression list of all campaigns. */
  | { kind: 'forever' }
  /** The person may be called again after this day. */
  | { kind: 'until'; day: string }
  /** Not called in this campaign, such as `Deceased` or `Wrong number`; other campaigns decide for themselves. */
  | { kind: 'here' }
  /** A refusal beside words that may turn it, such as `Do not call before 10am`: a person decides. */
  | { kind: 'unclear' };

/**
 * Reads whether a short cell of any column refuses calls.
 *
 * @param cell at most 80 characters are one statement; a longer cell is read as a list of tags
 * @param today `YYYY-MM-DD`: a refusal that ended before today counts as none
 * @returns null where the cell refuses nothing, or only e-mail, texts or post
 */
export function readRefusal(cell: string, today: string): CallRefusal | null {
  void cell;
  void today;
  return null;
}
