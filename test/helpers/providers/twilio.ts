// Twilio's Calls resource, as the sample of a service that takes forms. Sources: twilio/twilio-oai
// spec/json/twilio_api_v2010.json (d50069b, 2026-04-14), twilio.com/docs/api/errors, and twilio.com/docs/usage on webhook
// security (read 2026-11-22). What an agent is to others is here the application that the call is connected to. What is
// sent and answered is held against schemas/twilio.ts.
import { createHmac } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { endOf, hexId } from './book.ts';
import { isE164, keyHook, query, shaped, size, text } from './http.ts';
import type { Phase, ProviderCall, HttpClient } from './provider.ts';
import {
  APPLICATIONS,
  CALL,
  CALLS,
  CREATE_CALL,
  LIST_APPLICATIONS,
  LIST_CALLS,
  READ_CALL,
} from './schemas/twilio.ts';

export const TWILIO_SID = `AC${hexId('twilio account', 0)}`;
const TOKEN = 'twilio-auth-token';
const FROM = '+12125550199';
const STATUS = { answered: 'completed', no_answer: 'no-answer', busy: 'busy', failed: 'failed' };
const BASE = `/2010-04-01/Accounts/${TWILIO_SID}`;

/**
 * Events are forms, signed `X-Twilio-Signature`: base64 HMAC-SHA1 over the address and each field's name and
 * value in order of names. They go to the dial's StatusCallback, or else where `sendWebhooksTo` says.
 */
export function twilio(): HttpClient {
  return {
    key: `${TWILIO_SID}:${TOKEN}`,
    from: FROM,
    webhookSecret: TOKEN,
    outcomes: ['answered', 'voicemail', 'no_answer', 'busy', 'failed'],
    // A call that was taken is dialled: nothing is published of one that ends for want of a line or of money.
    troubles: ['money', 'configuration'],
    tells: { sentiment: false, transcript: false, summary: false, cost: 'answered' },
    agentId: (ordinal) => `AP${hexId('twilio application', ordinal)}`,
    callId: (ordinal) => `CA${hexId('twilio call', ordinal)}`,
    routes: (app, book) => {
      const basic = Buffer.from(`${TWILIO_SID}:${TOKEN}`).toString('base64');
      app.addHook(
        'onRequest',
        keyHook('authorization', [`Basic ${basic}`], (reply) =>
          refuse(reply, 401, 20003, 'Authenticate'),
        ),
      );
      app.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, body, done) => {
          done(null, Object.fromEntries(new URLSearchParams(String(body))));
        },
      );
      app.get(`${BASE}/Applications.json`, { schema: LIST_APPLICATIONS }, (request, reply) => {
        const { Page, PageSize } = query(request);
        const applications = [
          // It takes messages only, and could not speak.
          { sid: `AP${hexId('twilio messages', 0)}`, friendly_name: 'Messages', voice_url: null },
          ...book.agents.map(({ id, name }) => ({
            sid: id,
            friendly_name: name,
            voice_url: `https://voice.example.com/${id}`,
          })),
        ];
        const page = pageOf('Applications', 'applications', applications, Page, PageSize);
        return reply.send(shaped(request, APPLICATIONS, page));
      });
      app.post(`${BASE}/Calls.json`, { schema: CREATE_CALL }, async (request, reply) => {
        const body = (request.body ?? {}) as Record<string, string>;
        const { ApplicationSid, StatusCallback, MachineDetection, To = '' } = body;
        if (!isE164(To)) return refuse(reply, 400, 21211, "Invalid 'To' Phone Number");
        if (body['From'] !== FROM) {
          return refuse(reply, 400, 21210, "'From' phone number not verified");
        }
        if (ApplicationSid === undefined && body['Url'] === undefined) {
          return refuse(reply, 400, 21205, 'Url parameter is required.');
        }
        if (!book.hasAgent(ApplicationSid)) {
          return refuse(reply, 400, 21218, 'Invalid ApplicationSid');
        }
        const trouble = book.troubleOf(To);
        if (trouble === 'money') return refuse(reply, 403, 20005, 'Account not active');
        if (trouble === 'configuration') return refuse(reply, 400, 21212, "Invalid 'From' Number");
        if (book.isFull) return refuse(reply, 429, 20429, 'Too many requests');
        const call = await book.place({
          phone: To,
          agentId: text(ApplicationSid),
          from: FROM,
          variables: {},
          metadata: {
            ...(StatusCallback === undefined ? {} : { StatusCallback }),
            ...(MachineDetection === undefined ? {} : { MachineDetection }),
          },
        });
        return reply.code(201).send(shaped(request, CALL, callOnWire(call, 'queued')));
      });
      app.get<{ Params: { file: string } }>(
        `${BASE}/Calls/:file`,
        { schema: READ_CALL },
        (request, reply) => {
          const call = book.call(request.params.file.replace(/\.json$/, ''));
          if (call !== undefined) {
            return reply.send(shaped(request, CALL, callOnWire(call, book.phaseOf(call))));
          }
          const message = `The requested resource ${request.url} was not found`;
          return refuse(reply, 404, 20404, message);
        },
      );
      app.get(`${BASE}/Calls.json`, { schema: LIST_CALLS }, (request, reply) => {
        const { Page, PageSize, To, 'StartTime>': after } = query(request);
        const since = after === undefined ? 0 : Date.parse(after);
        const calls = book.calls
          .filter((call) => (To === undefined || call.phone === To) && call.placedAt >= since)
          .toReversed()
          .map((call) => callOnWire(call, book.phaseOf(call)));
        return reply.send(shaped(request, CALLS, pageOf('Calls', 'calls', calls, Page, PageSize)));
      });
    },
    events: (call) => {
      const url = text(call.metadata['StatusCallback']);
      return [{ at: call.endedAt, phase: 'ended', ...(url === '' ? {} : { url }) }];
    },
    message: (call, { phase }, { secret, url }) => {
      const { sid, to, from, status, duration, answered_by } = callOnWire(call, phase);
      const form: Record<string, string> = {
        CallSid: sid,
        AccountSid: TWILIO_SID,
        ApiVersion: '2010-04-01',
        To: to,
        From: from,
        Direction: 'outbound-api',
        CallStatus: status,
        CallDuration: duration ?? '0',
        Timestamp: rfc2822(endOf(call)),
        ...(answered_by === null ? {} : { AnsweredBy: answered_by }),
      };
      const names = Object.keys(form).toSorted();
      const signed = url + names.map((name) => name + (form[name] ?? '')).join('');
      const signature = createHmac('sha1', secret).update(signed).digest('base64');
      return {
        body: new URLSearchParams(form).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signature,
        },
      };
    },
  };
}

function refuse(reply: FastifyReply, status: number, code: number, message: string) {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return reply.code(status).send({ code, message, more_info, status });
}

function pageOf(
  resource: string,
  name: string,
  items: readonly unknown[],
  page: unknown,
  pageSize: unknown,
) {
  const count = size(pageSize, { max: 1_000, normal: 50 });
  const number = Math.max(0, Number(page ?? 0));
  const start = number * count;
  const at = (n: number) => `${BASE}/${resource}.json?PageSize=${count}&Page=${n}`;
  return {
    [name]: items.slice(start, start + count),
    page: number,
    page_size: count,
    start,
    end: Math.min(start + count, items.length) - 1,
    first_page_uri: at(0),
    next_page_uri: start + count < items.length ? at(number + 1) : null,
    previous_page_uri: number === 0 ? null : at(number - 1),
    uri: at(number),
  };
}

/** Duration and price are texts; the price is negative, and comes a little after the end; times are RFC 2822. */
function callOnWire(call: ProviderCall, phase: Phase) {
  const isOver = phase === 'ended' || phase === 'settled';
  const talked = call.answeredAt !== null;
  const detects = call.metadata['MachineDetection'] !== undefined;
  return {
    sid: call.callId,
    account_sid: TWILIO_SID,
    to: call.phone,
    from: call.from,
    status: statusOf(call, phase),
    direction: 'outbound-api',
    date_created: rfc2822(call.placedAt),
    start_time: isOver ? rfc2822(call.answeredAt ?? call.placedAt) : null,
    // Both are empty where nobody answered.
    end_time: isOver && talked ? rfc2822(endOf(call)) : null,
    duration: isOver && talked ? String(call.durationS) : null,
    price: phase === 'settled' && talked ? String(-(call.costUsd ?? 0)) : null,
    price_unit: 'USD',
    answered_by: isOver && talked && detects ? answeredBy(call) : null,
    queue_time: '0',
    api_version: '2010-04-01',
    uri: `${BASE}/Calls/${call.callId}.json`,
  };
}

function statusOf(call: ProviderCall, phase: Phase): string {
  if (phase === 'queued' || phase === 'ringing') return phase;
  if (phase === 'in_progress') return 'in-progress';
  return STATUS[call.outcome === 'voicemail' ? 'answered' : call.outcome];
}

function answeredBy({ outcome }: ProviderCall): string {
  return outcome === 'voicemail' ? 'machine_start' : 'human';
}

function rfc2822(at: number): string {
  return new Date(at).toUTCString().replace('GMT', '+0000');
}
