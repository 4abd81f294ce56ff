import type { Sql } from '../sql.ts';
import { attemptTable } from './attempts.ts';
import { campaignTable } from './campaigns.ts';
import { holdTable } from './holds.ts';
import { leadNumberTable } from './lead-numbers.ts';
import { leadTable } from './leads.ts';
import { nightTable } from './nights/nights.ts';
import { refusalTable } from './refused-dials.ts';
import { serviceTables } from './services.ts';
import { suppressionTable } from './suppression.ts';

/** The tables that several parts of the store use. */
export function tablesOf(sql: Sql) {
  const campaigns = campaignTable(sql);
  const suppression = suppressionTable(sql);
  const leads = leadTable(sql, suppression);
  const nights = nightTable(sql);
  const numbers = leadNumberTable(sql, suppression);
  return {
    campaigns,
    suppression,
    leads,
    holds: holdTable(sql),
    nights,
    numbers,
    attempts: attemptTable(sql, { campaigns, leads, nights, numbers }),
    refusals: refusalTable(sql, { campaigns, leads }),
    services: serviceTables(sql),
  };
}

export type Tables = ReturnType<typeof tablesOf>;
