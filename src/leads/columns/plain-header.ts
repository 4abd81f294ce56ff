/** As headers are compared: `Phone_Number`, `phoneNumber` and `PHONE NUMBER` are the same. */
export function plainHeader(header: string): string {
  return header
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
