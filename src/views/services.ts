import { z } from 'zod';
import { trouble } from './answers.ts';
import { marked, name, pageOf, text } from './fields.ts';

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
  keyAt: z.string().nullable().describe('The variable or file where the key is looked for'),
  from: z.string().nullable().describe('The number, or its id there, that calls come from'),
  maxCalls: z.int().nullable().describe('Calls at once, over all campaigns; null: no limit'),
  requestsPerSecond: z.number().nullable().describe('As its profile says; null: it does not say'),
  profile: z
    .object({
      name: z.string(),
      path: z.string(),
      fields: z.int().describe('Fields of answers that it knows names for'),
      pinned: z.int().describe('Those of them that it knows by one name alone'),
    })
    .nullable()
    .describe('null: it cannot be read'),
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
export const services = pageOf(service).extend({
  file: z.string().describe('The services file, whether it is there or not'),
  fileExists: z.boolean(),
});
export type Services = z.infer<typeof services>;

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

/** What was found when a service was examined. */
export const examination = z.object({
  findings: z.array(
    z.object({
      what: z.string(),
      state: z.enum(['ok', 'warn', 'problem']).describe('warn: calls are made all the same'),
      detail: text,
      next: text.nullable().describe('The next step; null: nothing is to be done'),
    }),
  ),
});
export type Examination = z.infer<typeof examination>;
