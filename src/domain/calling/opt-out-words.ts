/**
 * Words with which people ask not to be called again, in English, without regard to case. They only mark a call for
 * somebody to read: a person is suppressed where the service says so, see `optOut` of a profile.
 */
export const OPT_OUT_WORDS = [
  'stop calling',
  "don't call me",
  'do not call',
  "don't call again",
  'never call',
  'take me off',
  'remove me from',
  'remove my number',
  'delete my number',
  'lose my number',
  'unsubscribe',
  'opt out',
] as const;

/** True when the person may have asked not to be called again; the agent's words (`agent: ...`) do not count. */
export function soundsLikeOptOut(transcript: string): boolean {
  const said = transcript
    .split('\n')
    .filter((line) => !line.startsWith('agent: '))
    .join('\n')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('-', ' ');
  return OPT_OUT_WORDS.some((words) => said.includes(words));
}
