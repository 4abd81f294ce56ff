import { z } from 'zod';
import { shownCampaign } from '../answers/campaign.ts';
import { shownTo } from '../answers/shown.ts';
import type { Desk } from '../desk.ts';
import type { ConsoleEvent } from '../events/events.ts';
import { perEvent } from '../events/per-event.ts';
import { eventStream } from '../events/stream.ts';
import { isStill } from '../guards/identity.ts';
import { answers, type Api } from './api.ts';

/** Live changes as server-sent events: one stream for each page. */
export function eventRoutes(api: Api, desk: Desk): void {
  api.get(
    '/api/v1/events',
    {
      schema: {
        tags: ['Events'],
        operationId: 'watchEvents',
        summary: 'What happens: `counters` and `calls` of one campaign, or `campaigns` in short',
        querystring: z.object({
          campaign: z.string().max(200).optional().describe('Default: all campaigns in short'),
        }),
        response: answers({ 200: z.string().describe('text/event-stream') }),
      },
    },
    (request, reply) => {
      const { identity, query, raw } = request;
      const { send, end } = eventStream(reply.raw, desk.world.clock, () => isStill(request, desk));
      const hidden = identity.transcripts
        ? send
        : (event: ConsoleEvent) => {
            send(masked(event));
          };
      // A refusal is still an answer with a status: it comes before the stream begins.
      let early: ConsoleEvent[] | undefined = [];
      const stop = desk.hub.subscribe(query.campaign ?? null, (event) => {
        if (early === undefined) hidden(event);
        else early.push(event);
      });
      reply.hijack();
      raw.socket.setTimeout(0);
      reply.raw.writeHead(200, {
        ...plainHeaders(reply.getHeaders()),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      reply.raw.write('retry: 1000\n\n');
      const first = early;
      early = undefined;
      first.forEach(hidden);
      raw.on('close', () => {
        stop();
        end();
      });
    },
  );
}

function plainHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]));
}

/** Whoever may not read what was said sees masked numbers. */
const masked = perEvent((event): ConsoleEvent => {
  const call = <T extends { phone: string }>(one: T) => ({
    ...one,
    phone: MASKED.phone(one.phone),
  });
  switch (event.event) {
    case 'calls':
      return { ...event, data: event.data.map(call) };
    case 'campaigns':
      return { ...event, data: event.data.map((one) => shownCampaign(one, MASKED)) };
    case 'counters': {
      const { calls, ...counters } = event.data;
      return { ...event, data: { ...shownCampaign(counters, MASKED), calls: calls.map(call) } };
    }
    case 'gone':
      return { ...event, data: { why: MASKED.text(event.data.why) } };
  }
});

const MASKED = shownTo({ transcripts: false });
