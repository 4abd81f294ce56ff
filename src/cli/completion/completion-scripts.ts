export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Placeholder for file names, which the shell completes itself; no word of a command line begins with `:`. */
export const FILES = ':files';

// The script passes the words as bash splits them: `=` and `:` are words of their own.
const BASH = `# Completion of callsheet for bash. Put it into ~/.bashrc: callsheet completion bash >> ~/.bashrc
_callsheet() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line
  [[ $cur == = ]] && cur=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ${FILES} ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    elif [[ $line == "$cur"* ]]; then
      COMPREPLY+=("$(printf '%q' "$line")")
    fi
  done < <("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -F _callsheet callsheet
`;

const ZSH = `#compdef callsheet
# Completion of callsheet for zsh: callsheet completion zsh > ~/.zfunc/_callsheet, with ~/.zfunc in fpath.
_callsheet() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if (( \${found[(Ie)${FILES}]} )); then
    found=("\${(@)found:#${FILES}}")
    _files
  fi
  found=("\${(@)found:#}")
  (( \${#found} )) && compadd -- "\${(@)found}"
}
if [[ $funcstack[1] == _callsheet ]]; then _callsheet "$@"; else compdef _callsheet callsheet; fi
`;

const FISH = `# Completion of callsheet for fish: callsheet completion fish > ~/.config/fish/completions/callsheet.fish
function __callsheet_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in ($before[1] completion fish -- $before "$current" 2>/dev/null)
        if test "$line" = "${FILES}"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c callsheet -f -a '(__callsheet_complete)'
`;

/** The script by which a shell asks `callsheet completion` when Tab is pressed. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
