import { defineCommand } from '../../args/command.ts';
import { completions } from '../../completion/complete.ts';
import { SCRIPTS, SHELLS, type Shell } from '../../completion/completion-scripts.ts';
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
  notes: `Tab completes commands, flags and their values, names of campaigns and services, and files.`,
  run: async ({ shell: named, words }, io, commands) => {
    const shell = SHELLS.find((name) => name === named);
    if (shell === undefined)
      throw invalidFlag(
        `"${named}" is not a shell that callsheet knows; it knows ${SHELLS.join(', ')}.`,
      );
    if (words.length === 0) {
      const script = SCRIPTS[shell];
      return { json: { shell, script }, text: script };
    }
    // A person who presses Tab does not expect an error message.
    const found = await completions(words.slice(1), commands, io).catch(() => []);
    return { json: found, text: found.map((each) => lineOf(each, shell)).join('') };
  },
});

function lineOf({ word, about }: { word: string; about: string }, shell: Shell): string {
  return shell === 'fish' && about !== '' ? `${word}\t${about}\n` : `${word}\n`;
}
