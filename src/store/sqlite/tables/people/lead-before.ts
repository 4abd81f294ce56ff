/** SQL for a column of `leads` (`cells`, `zone_key`) as it was at an attempt, see `lead_before`; NULL: as it is. */
export function asOf(column: string, seq: string): string {
  return `coalesce((SELECT ${column} FROM lead_before
    WHERE lead_row = leads.row AND last_seq >= ${seq} ORDER BY last_seq LIMIT 1), leads.${column})`;
}
