/**
 * True for this machine: 127.0.0.0/8, ::1 and localhost (RFC 1122 3.2.1.3, RFC 4291 2.5.3, RFC 6761 6.3). Plain http is
 * allowed there, and nobody's phone rings.
 *
 * @param hostname as `URL` gives it: an IPv6 address stands in brackets
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
