import { z } from 'zod';

import { exitCode, marked, moment, name, pageOf, text, trouble } from './fields.ts';

/** A service as services.yaml defines it; `simulated` needs no entry. Nothing was asked of it. */
const service = z.object({
  name: z.string(),
  url: z
    .string()
    .nullable()
    .describe('null: the embedded service, or one that cannot be used, see `problem`'),
  simulated: z.boolean(),
  live: z.boolean().describe('Phones of real people ring: neither simulated nor on loopback'),
  key: z
    .enum(['present', 'missing'])
    .nullable()
    .describe('null: it needs none, or it was not looked for, see `problem`'),
  keyAt: z
    .string()
    .nullable()
    .describe('The variable of its key; null: it has a file of its own, or none'),
  from: z.string().nullable().describe('The number, or its id there, that calls come from'),
  maxCalls: z.int().nullable().describe('Calls at once, over all campaigns; null: no limit'),
  requestsPerSecond: z.number().nullable().describe('As its profile says; null: it does not say'),
  profile: z.string().nullable().describe('The name of how it speaks; null: it cannot be read'),
  slots: z
    .array(
      z.object({
        campaign: name,
        held: z.int(),
        wants: z.int().describe('Slots more that it could use; 0: it has as many as it needs'),
        weight: z.number(),
        share: z.number().describe("Its weight's part of all of theirs, 0 to 1"),
      }),
    )
    .describe('Campaigns that hold or want its slots now'),
  problem: trouble.nullable().describe('Why it cannot be used as it is'),
});
export type Service = z.infer<typeof service>;
export const services = pageOf(service);
export type Services = z.infer<typeof services>;

export const serviceKey = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .describe('It is kept in a file, and never told');

/** A service as somebody describes it who has no access to the files of this machine. */
export const newService = z.object({
  name: z.string().min(1).max(64),
  profile: z.string().min(1).max(100).describe('The name of one of /api/v1/profiles'),
  url: z.string().max(2_000).optional().describe('Default: the address that its profile gives'),
  key: serviceKey,
  from: z.string().max(200).optional().describe('The number, or its id there, to call from'),
  ids: z.record(z.string().max(64), z.string().max(200)).optional().describe('Of the account'),
});
export type NewService = z.infer<typeof newService>;

/** Profiles that a service can have which somebody adds. */
export const profileChoices = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      url: z.string().nullable().describe('Where the provider is; null: it has to be given'),
      ids: z.array(z.string()).describe('Ids of the account that it needs'),
      needsFrom: z.boolean().describe('It needs a number to call from'),
    }),
  ),
});
export type ProfileChoices = z.infer<typeof profileChoices>;

export const voice = z.record(z.string(), z.unknown()).describe('Passed to the service as it is');

const agent = z.object({
  id: z.string(),
  name: text.nullable(),
  systemPrompt: text.nullable().describe('null: the service does not show it'),
  voice: marked('said', voice.nullable()),
});
export type Agent = z.infer<typeof agent>;
export const agents = pageOf(agent).extend({
  service: z.string(),
  complete: z.boolean().describe('False: not every page or entry could be read'),
});
export type Agents = z.infer<typeof agents>;

export const agentDetail = agent.extend({
  service: z.string(),
  answer: marked('said', z.unknown()).describe('All that the service says about it'),
});
export type AgentDetail = z.infer<typeof agentDetail>;

/** A profile in order, and what it says. */
export const profileRead = z.object({
  path: z.string(),
  says: z.record(z.string(), z.string()).describe('Its sections, as texts'),
});

/** What a profile finds in one saved answer. */
export const sampleReading = z.object({
  name: z.string().describe('Of the file'),
  operation: z.enum(['dial', 'analytics', 'agents', 'calls', 'slots', 'webhook']),
  ok: z.boolean().describe('False: callsheet could not use such an answer'),
  says: text.describe('How callsheet understands it, as a sentence'),
  found: z.array(z.object({ field: z.string(), name: z.string(), value: text })),
  missed: z.array(z.object({ field: z.string(), lookedFor: z.string() })),
  unused: z
    .array(z.object({ at: z.string(), value: text }))
    .describe('Values that no name has read; at most 40'),
});

/** A profile with the names alone that real answers had. */
export const profilePinned = z.object({
  output: z.string().describe('The new profile; `-`: the standard output'),
  answers: z.int(),
  kept: z.array(z.string()),
  empty: z.array(z.string()).describe('Fields that no answer had'),
});

/** The embedded service that `simulate` runs. */
export const simulated = z.object({
  url: z.string(),
  keys: z.array(z.string()),
  ledger: z.string().describe('The address that says which phones rang'),
  webhooks: z.object({ url: z.string(), secret: z.string() }).nullable(),
});

/** What callsheet says of itself: how it was set up, what it needs, and copies of its database. Paths are absolute. */

/** What was found of one thing that callsheet needs. */
const finding = z.object({
  what: z.string(),
  state: z.enum(['ok', 'warn', 'problem']).describe('warn: calls are made all the same'),
  detail: text,
  next: text.nullable().describe('The next step; null: nothing is to be done'),
  exitCode: exitCode.describe('How `doctor` ends by it'),
});
export type Finding = z.infer<typeof finding>;
export const findings = z.array(finding);

/** What was found when a service was examined: the result of the job. */
export const examination = z.object({ findings });
export type Examination = z.infer<typeof examination>;

/** How a test notice came to each receiver. */
export const triedNotices = z.array(
  z.object({
    to: z.string().describe('The receiver, without secrets'),
    on: z.array(z.string()).describe('The events that it gets'),
    ok: z.boolean(),
    why: text.nullable().describe('Why it did not come; null: it came'),
  }),
);

/** The schema of callsheet in a database on a server. */
export const migrated = z.object({
  database: z.string(),
  made: z.boolean().describe('False: it was there'),
  from: z.int().nullable().describe('Its version before; null: it was made'),
  version: z.int(),
});

/** A database that was moved to a server, and how much it held. */
export const moved = z.object({
  ...{ from: z.string(), to: z.string() },
  ...{ campaigns: z.int(), leads: z.int(), attempts: z.int() },
  ...{ rows: z.int().describe('Of all tables'), tables: z.int() },
});

/** The machines that call from a database on a server. */
export const machines = z.array(
  z.object({
    name: z.string().describe('Its host and a few digits, which its dial journal begins with'),
    seenAt: moment.describe('When it called last, to the minute'),
    leftAt: moment
      .nullable()
      .describe('When its last command ended; null: it works, or was killed'),
    isAwaited: z
      .boolean()
      .describe(
        'Nobody is called before it has shown its dial journal to this copy of the database',
      ),
  }),
);
export type Machines = z.infer<typeof machines>;

/** A copy of the database. */
export const backup = z.object({
  database: z.string(),
  file: z.string(),
  databaseId: z.string().describe('The dial journal has the same'),
  campaigns: z.int(),
  leads: z.int(),
  attempts: z.int(),
});
export type Backup = z.infer<typeof backup>;

export const restored = backup.extend({
  recovered: z.int().describe('Calls since the backup, from the dial journal: now unknown'),
  keptAs: z.string().nullable().describe('The database that was there; null: none was'),
});

export const begun = z.object({
  home: z.string(),
  files: z.array(name).describe('That were written'),
  campaign: name,
});
