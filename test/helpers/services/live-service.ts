import type { Io } from '../../../src/cli/io.ts';
import { createVoiceService } from '../../../src/service/voice-service.ts';
import { isLoopback } from '../../../src/runtime/process.ts';

/** Addresses of live services that nobody has: RFC 2606 keeps `.example` free. */
export const LIVE = 'https://voice.example';
export const OTHER_LIVE = 'https://other-voice.example';

/**
 * What an `Io` connects with in tests: the real client, but an address that counts as live is led to
 * loopback, by its origin. One that leads nowhere is refused before a request is made.
 */
export function leadTo(routes: Record<string, string>): Io['connect'] {
  return async (options) => {
    const { origin, hostname, pathname } = new URL(options.url);
    if (isLoopback(hostname)) return createVoiceService(options);
    const to = routes[origin];
    if (to === undefined) throw new Error(`this test must not speak to ${options.url}`);
    const url = to + pathname.replace(/\/$/, '');
    return { ...createVoiceService({ ...options, url }), url: options.url };
  };
}

/**
 * A number that a live service is given: those kept for fiction are refused there. The 555 exchange is
 * assigned to nobody, and no test speaks to another host than loopback.
 */
export function livePhone(index: number): string {
  return `+1212555${String(200 + index).padStart(4, '0')}`;
}
