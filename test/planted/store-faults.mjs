// Deliberate mistakes in the domain and the store: see faults.mjs for what the fields mean.
const CONFORMANCE = 'test/store/sqlite/conformance.test.ts';
const CLAIM = 'src/store/sql/claim/claim.ts';
const GATES = 'src/store/sql/claim/gates.ts';
const INTENTS = 'src/store/sql/claim/intents.ts';
const OBSTACLES = 'src/store/sql/claim/obstacles.ts';
const LEADS = 'src/store/sql/tables/leads.ts';
const ATTEMPTS = 'src/store/sql/tables/attempts.ts';
const ATTEMPT_ROWS = 'src/store/sql/tables/attempt-rows.ts';
const OPEN = 'src/store/sql/store.ts';
const GROUP = 'src/store/sql/group-commit.ts';
const JOURNAL = 'src/store/journal/journal.ts';
const RECOVER = 'src/store/journal/recover.ts';
const RESTORE = 'src/store/sql/claim/restore-dials.ts';
const STATES = 'src/domain/attempt.ts';

const UNRUNG = 'test/collect/unrung-calls.test.ts';
const REFUSED = 'test/dispatch/refused-leads.test.ts';
const OUTCOME = 'src/domain/lead.ts';
const REFUSALS = 'src/domain/refused-dials.ts';

export const STORE_FAULTS = [
  {
    title: 'restore puts a backup in the place of a list',
    file: 'src/store/sqlite/file/restore.ts',
    text: '  refuseNoDatabase(path);\n',
    replacement: '',
    tests: ['test/cli/words/refusals.test.ts'],
  },
  {
    title: 'a call that the service ended without ringing uses up its lead',
    file: STATES,
    text: "not_called: 'released',",
    replacement: "not_called: 'no_result',",
    tests: [UNRUNG],
  },
  {
    title: 'the campaign goes on where money or configuration ended a call without ringing',
    file: 'src/store/sql/tables/polls.ts',
    text: 'if (pause) pauseCampaign(attempt, at, detail);',
    replacement: 'if (pause) void pauseCampaign;',
    tests: [UNRUNG],
  },
  {
    title: 'the next call has the key of one that the service took and did not make',
    file: INTENTS,
    text: 'notCalled === 0 ? [] : [notCalled]',
    replacement: 'notCalled === 0 ? [] : []',
    tests: [UNRUNG],
  },
  {
    title: 'a run ends although a taken call may still let its person wait again',
    file: 'src/dispatch/dispatcher.ts',
    text: 'isIdle && !(await this.#claims.someMayWaitAgain())',
    replacement: 'isIdle || (await this.#claims.someMayWaitAgain())',
    tests: [UNRUNG],
  },
  {
    title:
      'a call that was told to be made after all is taken for a result, although its lead waits again',
    file: STATES,
    text: "    line_down: 'stay',\n    longest_call_passed: 'stay',\n    settled: 'conflict',\n    not_called: 'stay',",
    replacement:
      "    line_down: 'stay',\n    longest_call_passed: 'stay',\n    settled: 'settled',\n    not_called: 'stay',",
    tests: [CONFORMANCE],
    named: 'and then told to have been made is a contradiction',
  },
  {
    title: 'a word of failure stands against a person who speaks',
    file: OUTCOME,
    text: 'isFailure && personSpeaks',
    replacement: '!isFailure && personSpeaks',
    tests: ['test/domain/outcome.test.ts'],
  },
  {
    title: 'a person who was talked to is called again, as the service says that it did not call',
    file: OUTCOME,
    text: '(analytics.durationMs ?? 0) > 0',
    replacement: '(analytics.durationMs ?? 0) < 0',
    tests: ['test/domain/outcome.test.ts'],
  },
  {
    title: 'leads stay rejected for a refusal that was not theirs',
    file: 'src/store/sql/claim/dial-answers.ts',
    text: "if (rejected.state === 'rejected') release",
    replacement: "if (rejected.state === 'intent') release",
    tests: ['test/dispatch/unexpected-answers.test.ts'],
  },
  {
    title: 'a service without room ends leads as rejected',
    file: REFUSALS,
    text: 'if (held > 0 && !wasOtherTaken) return null;',
    replacement: '',
    tests: [REFUSED],
  },
  {
    title: 'an obstacle takes the result of a call away from a person who was reached',
    file: INTENTS,
    text: "leads.end(row, { ...obstacle, source: 'callsheet' });",
    replacement: "leads.markDone(obstacle.result, 'callsheet', obstacle.reason, row);",
    tests: [CONFORMANCE],
    named: 'whom it has reached itself',
  },
  {
    title: 'a lead that is refused in changing words is tried for ever',
    file: 'src/store/sql/tables/tables.ts',
    text: 'afterRefusal(last ?? null, facts, at)',
    replacement: 'afterRefusal(last?.reason === refusal ? last : null, facts, at)',
    tests: [REFUSED],
    named: 'another reason each time',
  },
  {
    title: 'a lead that is refused for its own sake is tried for ever',
    file: REFUSALS,
    text: 'own >= most ||',
    replacement: '',
    tests: [REFUSED],
  },
  {
    title: 'a delivery of a call in progress waits until all others have been gone through',
    file: 'src/store/sql/tables/inbox.ts',
    text: '...selectOfOpenCalls({ service, now }), ',
    replacement: '',
    tests: [CONFORMANCE],
    named: 'a great many deliveries without an attempt',
  },
  {
    title: 'only the first thousand deliveries are ever gone through',
    file: 'src/store/sql/tables/inbox.ts',
    text: 'rows.length < AT_A_TIME ? 0 : next',
    replacement: '0 * next',
    tests: [CONFORMANCE],
    named: 'a great many deliveries without an attempt',
  },
  {
    title: 'of deliveries that are due at one time some are passed over',
    file: 'src/store/sql/tables/inbox.ts',
    text: 'Math.max(last - 1, before + 1)',
    replacement: 'Math.max(last, before + 1)',
    tests: [CONFORMANCE],
    named: 'a great many deliveries without an attempt',
  },
  {
    title: 'a doubt is as young as a wall clock makes it that was set back while it ran',
    file: 'src/store/sql/claim/replays.ts',
    text: 'Math.max(now + setBackMs, recorded, passed)',
    replacement: 'Math.max(now + setBackMs, recorded, 0 * passed)',
    tests: [CONFORMANCE],
    named: 'is not made younger',
  },
  {
    title: 'a doubt is as young as a wall clock makes it that was set back between two runs',
    file: 'src/store/sql/claim/replays.ts',
    text: 'Math.max(now + setBackMs, recorded, passed)',
    replacement:
      'last === undefined ? now + setBackMs : Math.max(now + setBackMs, recorded, passed)',
    tests: [CONFORMANCE],
    named: 'is not made younger',
  },
  {
    title: 'the suppression list is not asked by the claim',
    file: OBSTACLES,
    text: 'if (entry === undefined) return null;',
    replacement: 'if (entry === undefined || dial !== undefined) return null;',
    tests: [CONFORMANCE],
    named: 'is refused by the claim itself where a lead came to wait again after it',
  },
  {
    title: 'people whom another campaign called is called again, whatever skipCalled says',
    file: OBSTACLES,
    text: 'if (skipCalled === undefined) return null;',
    replacement: 'if (phone !== undefined) return null;',
    tests: [CONFORMANCE],
    named: 'does not call after a call',
  },
  {
    title: 'who is in doubt with another campaign counts as not called',
    file: 'src/store/sql/tables/attempt-rows.ts',
    text: "AND (attempts.state <> 'unconfirmed' OR attempts.resolution IS DISTINCT FROM 'not_placed')",
    replacement: "AND attempts.state <> 'unconfirmed'",
    tests: [CONFORMANCE],
    named: 'does not call after a call',
  },
  {
    title: 'a real campaign leaves out whom a rehearsal has called',
    file: 'src/store/sql/claim/earlier-calls.ts',
    text: 'WHERE campaigns.id <> @own AND campaigns.simulated = @simulated\n       AND ${BEGAN_AT}',
    replacement: 'WHERE campaigns.id <> @own AND @simulated >= 0\n       AND ${BEGAN_AT}',
    tests: [CONFORMANCE],
    named: 'nor those of rehearsals',
  },
  {
    title: 'a list that comes in does not ask the suppression list',
    file: 'src/store/sql/tables/people/add-leads.ts',
    text: 'if (entry === undefined) answer.added += 1;',
    replacement: 'if (entry?.at !== -1) answer.added += 1;',
    tests: [CONFORMANCE],
    named: 'comes in as a lead that has ended, and so does one whose row says so',
  },
  {
    title: 'a claim does not read whether the campaign is paused',
    file: GATES,
    text: "if (state === 'running') return",
    replacement: "if (state !== 'draft') return",
    tests: [CONFORMANCE],
    named: 'gives nothing while the campaign is',
  },
  {
    title: 'a list whose import is not finished is called',
    file: GATES,
    text: "isImporting ? 'list_unfinished' : null",
    replacement: 'isImporting ? null : null',
    tests: [CONFORMANCE],
    named: 'half imported',
  },
  {
    title: 'slots are counted in memory, not as rows',
    file: GATES,
    text: 'const own = Math.max(0, Math.min(slots, concurrency) - slotsOfCampaign(campaignId, now));',
    replacement: `const counter = sql as unknown as { held?: number };
    counter.held ??= slotsOfCampaign(campaignId, now);
    const own = Math.max(0, Math.min(slots, concurrency) - counter.held);
    counter.held += Math.min(own, 1);`,
    tests: [CONFORMANCE],
    named: 'never shares a lead between two runners',
  },
  {
    title: 'many dials go out before the service has answered one as expected',
    file: CLAIM,
    text: 'if (!isProven) {',
    replacement: 'if (!isProven && now < 0) {',
    tests: [CONFORMANCE],
    named: 'one dial is in flight, over all runners',
  },
  {
    title: 'a dial after a release has another idempotency key',
    file: INTENTS,
    text: 'const key = keyOf(campaignId, lead);',
    replacement: 'const key = keyOf(campaignId, { ...lead, notCalled: lead.notCalled + now });',
    tests: ['test/store/sql/claim/claim.test.ts'],
  },
  {
    title: 'a lead is claimed without a check of its state',
    file: LEADS,
    text: "reason = NULL, ${NOT_HELD}\n     WHERE row = ? AND state = 'waiting'",
    replacement: 'reason = NULL, ${NOT_HELD}\n     WHERE row = ?',
    tests: ['test/store/sql/tables/guards.test.ts'],
  },
  {
    title: 'an attempt is moved whatever its state has become',
    file: ATTEMPT_ROWS,
    text: 'WHERE seq = @seq AND state = @from',
    replacement: 'WHERE seq = @seq',
    tests: ['test/store/sql/tables/guards.test.ts'],
  },
  {
    title: 'evidence leaves its lead as it was, not to be waited for',
    file: ATTEMPTS,
    text: 'tables.leads.markCalling(wasDone ? 1 : 0, row);',
    replacement: 'void row;',
    tests: ['test/store/sql/claim/claim.test.ts'],
  },
  {
    title: 'a call id that another attempt has is not seen as a contradiction',
    file: ATTEMPTS,
    text: "if ('callId' in event && event.callId !== attempt.call_id) {",
    replacement: "if ('callId' in event && event.callId === '') {",
    tests: [CONFORMANCE],
    named: 'whose call id another attempt has already',
  },
  {
    title: 'a second dial of a lead whose dial is open is taken by the database',
    file: 'src/store/sqlite/schema.sql',
    text: 'CREATE UNIQUE INDEX attempts_one_open',
    replacement: 'CREATE INDEX attempts_one_open',
    tests: ['test/store/sql/claim/claim.test.ts'],
    named: 'is refused by the database where',
  },
  {
    title:
      'a database of a version that no migration begins with is brought up to date all the same',
    file: 'src/store/sqlite/migrate.ts',
    text: '  refuseBetween(db, path);\n',
    replacement: '',
    tests: ['test/store/sqlite/old/old.test.ts'],
    named: 'is refused as it is',
  },
  {
    title: 'people of a database of 0.2.0 are not counted',
    file: 'src/store/sqlite/migrations/0036-from-0.2.0.sql',
    text: 'coalesce(result, state), count(*) FROM leads GROUP BY',
    replacement: 'coalesce(result, state), count(*) FROM leads WHERE 0 GROUP BY',
    tests: ['test/store/sqlite/old/old.test.ts'],
    named: 'counts its people as they are',
  },
  {
    title: 'an intent whose process is gone is given back',
    file: STATES,
    text: "orphaned: 'unknown',",
    replacement: "orphaned: 'released',",
    tests: [CONFORMANCE],
    named: 'gives up an intent at once',
  },
  {
    title: 'an intent is given up at once, whoever owns it',
    file: STATES,
    text: 'INTENT_LIMIT_MS = 2 * 60_000;',
    replacement: 'INTENT_LIMIT_MS = 0;',
    tests: ['test/run-campaign.test.ts'],
    named: 'of a process that still lives unknown',
  },
  {
    title: 'a doubt without evidence is dialled again',
    file: STATES,
    text: "gave_up: 'unconfirmed' }",
    replacement: "gave_up: 'released' }",
    tests: [CONFORMANCE],
    named: 'never lets a lead wait again',
  },
  {
    title: 'a late answer takes back what the analytics said',
    file: STATES,
    text: "    settled: 'stay',\n    not_called: 'conflict',",
    replacement: "    placed: 'placed',\n    settled: 'stay',\n    not_called: 'conflict',",
    tests: [CONFORMANCE],
    named: 'take back what the analytics said',
  },
  {
    title: 'a late answer does not lift a doubt that was given up',
    file: STATES,
    text: 'unconfirmed: IN_DOUBT,',
    replacement: "unconfirmed: { ...IN_DOUBT, placed: 'stay' },",
    tests: [CONFORMANCE],
    named: 'comes after evidence was given up',
  },
  {
    title: 'a call without analytics never ends',
    file: 'src/store/sql/claim/resolve-doubts.ts',
    text: '<= @now - @deadlineMs',
    replacement: '<= @now - 1000 * @deadlineMs',
    tests: [CONFORMANCE],
    named: 'never came before the deadline',
  },
  {
    title: 'a commit is not synced (synchronous=NORMAL), and nobody looks',
    file: 'src/store/sqlite/file/connection.ts',
    text: "const DURABLE = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };",
    replacement: "const DURABLE = { journal_mode: 'wal', foreign_keys: 1 };",
    tests: ['test/store/sqlite/file/connection.test.ts'],
  },
  {
    title: 'the database is opened with synchronous=NORMAL',
    file: 'src/store/sqlite/file/connection.ts',
    text: "db.pragma('synchronous = FULL');",
    replacement: "db.pragma('synchronous = NORMAL');",
    tests: ['test/store/sqlite/file/connection.test.ts'],
  },
  {
    title: 'group commit tells before it commits',
    file: GROUP,
    text: 'commit.run();\n    return tellings;',
    replacement: 'for (const tell of tellings) tell();\n    commit.run();\n    return [];',
    tests: ['test/store/sql/group-commit.test.ts'],
  },
  {
    title: 'a transaction looks before it has the lock',
    file: GROUP,
    text: "'BEGIN IMMEDIATE'",
    replacement: "'BEGIN'",
    tests: ['test/store/sql/group-commit.test.ts'],
    named: 'takes the lock before it looks',
  },
  {
    title: 'an item of a group commit that fails leaves what it did so far',
    file: GROUP,
    text: 'rollbackItem.run();',
    replacement: '',
    tests: ['test/store/sql/group-commit.test.ts'],
  },
  {
    title: 'a claim tells of its dials, and commits them afterwards',
    file: OPEN,
    text: 'claim: (request) => write(() => claimLeads(request)),',
    replacement: `claim: async (request) => {
      db.exec('BEGIN IMMEDIATE');
      const given = claimLeads(request);
      db.exec('ROLLBACK');
      void write(() => claimLeads(request)).catch(() => undefined);
      return given;
    },`,
    tests: ['test/store/sql/claim/durable-before-told.test.ts'],
  },
  {
    title: 'the journal is written while the dial is sent already',
    file: 'src/store/journal/journalled-store.ts',
    text: 'await journal.append(lines);',
    replacement: 'void journal.append(lines);',
    tests: ['test/store/journal/journal-sync.test.ts'],
  },
  {
    title: 'the journal is written and not synced',
    file: JOURNAL,
    text: 'await fdatasyncAsync(this.#fd);',
    replacement: '',
    tests: ['test/store/journal/journal-sync.test.ts'],
  },
  {
    title: 'a dial is made although the sync of another one at the same time has failed',
    file: JOURNAL,
    text: 'this.#last.then(() => this.#append(entries))',
    replacement: 'Promise.resolve().then(() => this.#append(entries))',
    tests: ['test/store/journal/journal-failure.test.ts'],
    named: 'by a claim at the same time',
  },
  {
    title: 'a torn line with a write of one byte behind it counts as damaged',
    file: 'src/store/journal/journal-lines.ts',
    text: "const BEGIN = ' \\n';",
    replacement: "const BEGIN = '\\n';",
    tests: ['test/store/journal/journal-failure.test.ts'],
    named: 'is whole where a crash has torn',
  },
  {
    title: 'a line of the journal that was taken in part counts as written',
    file: JOURNAL,
    text: 'if (taken !== given) throw',
    replacement: 'if (taken === 0) throw',
    tests: ['test/store/journal/journal-failure.test.ts'],
  },
  {
    title: 'a dial that only the journal knows is forgotten',
    file: RESTORE,
    text: 'if (known === undefined) add(entry);',
    replacement: 'if (known === undefined) return;',
    tests: ['test/store/journal/recover.test.ts'],
  },
  {
    title: 'a database without its journal is dialled from',
    file: RECOVER,
    text: 'if (dialled) throw journalMissing(databasePath, path);',
    replacement: '',
    tests: ['test/store/journal/refuse-to-dial.test.ts'],
  },
  {
    title: 'the journal of another database is taken for its own',
    file: RECOVER,
    text: 'const place = { path, databasePath, databaseId };',
    replacement: `databaseId = journal.databaseId ?? databaseId;
    const place = { path, databasePath, databaseId };`,
    tests: ['test/store/journal/refuse-to-dial.test.ts'],
  },
  {
    title: 'a lead that is not done is left out of the export',
    file: 'src/store/sql/read/export.ts',
    text: 'WHERE leads.campaign_id = ? AND leads.position > ?',
    replacement: "WHERE leads.campaign_id = ? AND leads.position > ? AND leads.state = 'done'",
    tests: [CONFORMANCE],
    named: 'never called with its cells',
  },
  {
    title: 'a call says by which rules it was allowed without their version',
    file: 'src/store/sql/claim/evidence.ts',
    text: 'shortHash([JSON.stringify(rule)], 8)',
    replacement: "''",
    tests: ['test/e2e/call-evidence.test.ts'],
  },
  {
    title: 'a row per attempt has the time zone of the person today',
    file: 'src/results/columns.ts',
    text: 'return evidence === null',
    replacement: 'return evidence !== undefined',
    tests: ['test/e2e/call-evidence.test.ts'],
  },
  {
    title: 'a restored database forgets that a dial was sent again, and when',
    file: RESTORE,
    text: 'if (entry.intentAt > known) dialAgain',
    replacement: 'if (entry.intentAt < known) dialAgain',
    tests: ['test/store/journal/recover.test.ts'],
  },
];
