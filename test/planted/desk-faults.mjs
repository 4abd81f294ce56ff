/** Campaigns that were left half made: how they are found again, and said. */
export const DESK_FAULTS = [
  {
    title: 'an import that was broken off is looked for at the name of the upload',
    file: 'src/app/plan/unfinished-import.ts',
    text: 'return file !== null && existsSync(file) ? file : path;',
    replacement: 'return path;',
    tests: ['test/app/drafts/own-campaign.test.ts'],
  },
  {
    title: 'a draft is removed while a list of it is half in its campaign',
    file: 'src/app/drafts/sweep.ts',
    text: '(list.finishedAt === null ? [] : upload)',
    replacement: 'upload',
    tests: ['test/app/drafts/own-campaign.test.ts'],
  },
  {
    title: 'the lists of a draft whose import was broken off are deleted after a day',
    file: 'src/app/drafts/sweep.ts',
    text: 'else if (lists.length > 0) kept.add(draft.id);',
    replacement: '',
    tests: ['test/app/drafts/own-campaign.test.ts'],
  },
  {
    title: 'a hint names npx where npx would ask a registry',
    file: 'src/cli/terminal/pasteable.ts',
    text: "npxFinds(cwd) ? 'npx callsheet' : program.map(shellWord).join(' ')",
    replacement: "'npx callsheet'",
    tests: ['test/cli/parts.test.ts'],
    named: 'registry',
  },
  {
    title: 'a rule of another installation is refused though it has the same bytes',
    file: 'src/config/rules/load-rule.ts',
    text: 'textOf(file) === textOf(path)',
    replacement: 'file === path',
    tests: ['test/config/rules/load-rule.test.ts'],
  },
  {
    title: 'status does not say that the disk is full',
    file: 'src/app/watch/campaigns.ts',
    text: "why === 'disk_full'",
    replacement: "why === 'pace'",
    tests: ['test/cli/commands/watch/troubles.test.ts'],
    named: 'disk',
  },
];
