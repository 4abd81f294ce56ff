import { defineCommand } from '../../args/command.ts';
import { completions, SHELLS } from '../../args/complete.ts';
import { invalidFlag } from '../../../config/hints.ts';

export const completion = defineCommand({
  arguments: {
    shell: { describe: 'bash, zsh or fish', required: true },
    words: { describe: 'what the script asks with: the command line so far', several: true },
  },
  options: {},
  examples: [
    ['completion bash >> ~/.bashrc', 'from the next shell on, Tab completes'],
    ['completion zsh > ~/.zfunc/_callsheet', 'where ~/.zfunc is in fpath, before compinit'],
    ['completion fish > ~/.config/fish/completions/callsheet.fish', 'at once'],
  ],
  notes: `Tab completes commands, flags, their values, names of campaigns, services and rules; else files.`,
  run: async ({ shell: named, words }, io, commands) => {
    const shell = SHELLS.find((name) => name === named);
    if (shell === undefined)
      throw invalidFlag(
        `"${named}" is not a shell that callsheet knows; it knows ${SHELLS.join(', ')}.`,
      );
    if (words.length === 0)
      return { json: { shell, script: SCRIPTS[shell] }, text: SCRIPTS[shell] };
    // A person who presses Tab does not expect an error message.
    const found = await completions(words.slice(1), commands, io).catch(() => []);
    // Only fish shows descriptions.
    const shown = shell === 'fish' ? found : found.map((word) => word.replace(/\t.*/s, ''));
    return { json: shown, text: shown.map((word) => `${word}\n`).join('') };
  },
});

/** How a shell asks for the words when Tab is pressed. The scripts of yargs break names with a colon or a space. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_callsheet() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf '%q' "$line")")
  done < <("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -o default -F _callsheet callsheet
`,
  zsh: `#compdef callsheet
_callsheet() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} )); then compadd -- "\${(@)found}"; else _files; fi
}
if [[ $funcstack[1] == _callsheet ]]; then _callsheet "$@"; else compdef _callsheet callsheet; fi
`,
  fish: `function __callsheet
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    $before[1] completion fish -- $before "$current" 2>/dev/null
end
complete -c callsheet -a '(__callsheet)'
`,
};
