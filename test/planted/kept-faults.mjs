// Deliberate mistakes in what is kept of a broken import and of a cancellation: see faults.mjs for the fields.
const WITHDRAWALS = 'src/store/sql/tables/withdrawals.ts';
const CONFORMANCE = 'test/store/sqlite/conformance.test.ts';
const BROKEN = 'test/cli/commands/lists/broken-imports.test.ts';
const SYNC = 'test/cli/commands/lists/sync.test.ts';

export const KEPT_FAULTS = [
  {
    title: 'a draft that was changed while a yes was asked for is started as it is now',
    file: 'src/app/plan/commit-plan.ts',
    text: "(version === now.version || state !== 'draft')",
    replacement: '(version > 0 || state.length > 0)',
    tests: ['test/app/lists/changed-meanwhile.test.ts'],
  },
  {
    title: 'a service is set on a campaign that was started meanwhile',
    file: 'src/app/campaigns/change-settings.ts',
    text: 'ifVersion: ifVersion ?? campaign.version',
    replacement: 'ifVersion',
    tests: ['test/app/lists/changed-meanwhile.test.ts'],
  },
  {
    title: 'an upload is taken by two drafts',
    file: 'src/app/campaigns/drafts.ts',
    text: 'if (!(await access.removeUpload(id))) throw uploadUnknown(id);',
    replacement: 'await access.removeUpload(id);',
    tests: ['test/app/lists/changed-meanwhile.test.ts'],
  },
  {
    title: 'a list that has people again brings back whom a list or the operator keeps out',
    file: WITHDRAWALS,
    text: "coalesce(stopped_by, 'left_list') = 'left_list'",
    replacement: '1 = 1',
    tests: [CONFORMANCE],
  },
  {
    title: 'an undo forgets what a list has said meanwhile',
    file: WITHDRAWALS,
    text: 'if (why !== null) leads.stop(',
    replacement: 'if (why === undefined) leads.stop(',
    tests: ['test/store/sql/tables/withdrawals.test.ts'],
  },
  {
    title: 'who left a list waits again although a call may have rung',
    file: WITHDRAWALS,
    text: '\n       AND NOT EXISTS (SELECT 1 FROM attempts WHERE lead_row = leads.row AND ${MAY_HAVE_RUNG})`,',
    replacement: '`,',
    tests: ['test/store/sql/tables/withdrawals.test.ts'],
  },
  {
    title: 'who left a list waits again although they are suppressed',
    file: WITHDRAWALS,
    text: 'entryOf(phone) === undefined && updateReturned',
    replacement: 'entryOf(phone)?.at !== -1 && updateReturned',
    tests: [CONFORMANCE],
    named: 'leaves out who is suppressed',
  },
  {
    title: 'a cancelled campaign comes back although its people were called since',
    file: WITHDRAWALS,
    text: 'if (since.length > 0)',
    replacement: 'if (since.length < 0)',
    tests: [CONFORMANCE],
    named: 'whatever the clock says',
  },
  {
    title: 'a withdrawn person waits again although they were called since',
    file: WITHDRAWALS,
    text: 'if (since !== undefined) return',
    replacement: 'if (since?.at === -1) return',
    tests: [CONFORMANCE],
    named: 'refuses who was called since, who is suppressed',
  },
  {
    title: 'an import goes on with a file of other bytes',
    file: 'src/app/plan/unfinished-import.ts',
    text: '(await hashOf(path, format)) === sha256',
    replacement: "(await hashOf(path, format)) !== '' && sha256 !== ''",
    tests: [BROKEN],
    named: 'changed and as long as it was',
  },
  {
    title: 'a run ends while another process imports',
    file: 'src/dispatch/dispatcher-options.ts',
    text: 'return open.length > 0 && !open.some(isAlive);',
    replacement: 'return open.length > 0 || open.some(isAlive);',
    tests: ['test/dispatch/dispatcher.test.ts'],
    named: 'by an import that ends',
  },
  {
    title: 'a list that was cut short takes everybody out unasked',
    file: 'src/app/plan/import-into.ts',
    text: 'await confirmSync(plan, yes, world);',
    replacement: 'await confirmSync(plan, yes || plan.phones.size > 0, io);',
    tests: [SYNC],
    named: 'needs --yes off a terminal',
  },
  {
    title: 'an import that goes on forgets that its list is complete',
    file: 'src/app/plan/import-plan.ts',
    text: 'if (list.complete) await',
    replacement: 'if (list.complete && sync) await',
    tests: [BROKEN],
    named: 'with --sync takes nobody out',
  },
  {
    title: 'the files of a draft are deleted under the import that reads them',
    file: 'src/console/routes/drafts.ts',
    text: '      refuseStarting(params.campaign);\n      await removeDraft',
    replacement: '      await removeDraft',
    tests: ['test/console/routes/draft-files.test.ts'],
    named: 'stay while a campaign',
  },
];
