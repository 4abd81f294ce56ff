// The service of the benchmark, in a process of its own: every call is answered at once, lasts `callMs` and
// has its analytics then. As little work as possible, so that the clients are what is measured.
import { createServer } from 'node:http';

let callMs = Number(process.env.CALL_MS ?? 50);
const transcript = Array.from(
  { length: 6 },
  (_, i) =>
    `${i % 2 ? 'person' : 'agent'}: sentence ${i} of a short and friendly call about a renewal.`,
).join('\n');
const calls = new Map();
/** Ids are never used again. */
let made = 0;
const rings = new Map();
/** Calls whose analytics were given. */
const told = new Set();
let live = 0;
let peak = 0;
/** When the first call began, ms of the wall clock. */
let firstAt = null;

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = respond(request, Buffer.concat(chunks));
    const body = JSON.stringify(answer.body);
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});

function respond({ method, url, headers }, body) {
  if (headers.authorization !== 'Bearer bench') return { status: 401, body: { error: 'key' } };
  if (url === '/ledger') {
    const most = Math.max(0, ...rings.values());
    return {
      status: 200,
      body: { numbers: rings.size, calls: calls.size, most, peak, live, firstAt },
    };
  }
  if (url.startsWith('/reset')) {
    callMs = Number(url.split('/')[2] ?? callMs);
    calls.clear();
    rings.clear();
    told.clear();
    live = 0;
    peak = 0;
    firstAt = null;
    return { status: 200, body: {} };
  }
  if (method === 'GET' && url.startsWith('/v1/agents')) {
    return { status: 200, body: { data: [{ id: 'ag_bench', name: 'Bench' }] } };
  }
  if (method === 'POST') {
    const { phone_number: phone } = JSON.parse(body.toString());
    made += 1;
    const id = `call_${made}_${process.pid}`;
    calls.set(id, performance.now() + callMs);
    rings.set(phone, (rings.get(phone) ?? 0) + 1);
    firstAt ??= Date.now();
    live += 1;
    peak = Math.max(peak, live);
    return { status: 201, body: { call_id: id, status: 'queued' } };
  }
  const id = url.split('/')[3];
  const endsAt = calls.get(id);
  if (endsAt === undefined) return { status: 404, body: { error: 'no such call' } };
  if (performance.now() < endsAt) return { status: 409, body: { status: 'in_progress' } };
  // Over for the client from now on: a timer might tell later than this answer.
  if (!told.has(id)) live -= 1;
  told.add(id);
  const sentiment = { label: 'positive', score: 0.8 };
  return {
    status: 200,
    body: { call_id: id, status: 'completed', duration: callMs / 1000, sentiment, transcript },
  };
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
