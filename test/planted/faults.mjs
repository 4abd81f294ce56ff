// Deliberate mistakes, each of which the tests must catch: what is promised counts as tested only where
// breaking it makes a test fail.
import { CALLING_FAULTS } from './calling-faults.mjs';
import { CLI_FAULTS } from './cli-faults.mjs';
import { DISK_FAULTS } from './disk-faults.mjs';
import { EXPORT_FAULTS } from './export-faults.mjs';
import { FOLDER_FAULTS } from './folder-faults.mjs';
import { FORECAST_FAULTS } from './nights/forecast-faults.mjs';
import { KEPT_FAULTS } from './kept-faults.mjs';
import { LIST_FAULTS } from './list-faults.mjs';
import { LOOP_FAULTS } from './nights/loop-faults.mjs';
import { MORNING_FAULTS } from './nights/morning-faults.mjs';
import { MONITORING_FAULTS } from './nights/monitoring-faults.mjs';
import { NIGHT_DUTY_FAULTS } from './night-duty-faults.mjs';
import { NIGHT_FAULTS } from './night-faults.mjs';
import { NOTICE_FAULTS } from './notice-faults.mjs';
import { PERSON_FAULTS } from './person-faults.mjs';
import { PROFILE_FAULTS } from './profile-faults.mjs';
import { REHEARSAL_FAULTS } from './nights/rehearsal-faults.mjs';
import { ROW_FAULTS } from './row-faults.mjs';
import { SECRET_FAULTS } from './secret-faults.mjs';
import { START_FAULTS } from './nights/start-faults.mjs';
import { STORE_FAULTS } from './store-faults.mjs';
import { WEBHOOK_FAULTS } from './webhook-faults.mjs';
import { WIRE_FAULTS } from './wire-faults.mjs';

/**
 * Each fault is planted alone in a copy of the source.
 *
 * - `title`: the mistake, as a sentence about the program that has it
 * - `file`, `text`, `replacement`: `text` is there exactly once and becomes `replacement`
 * - `tests`: the test files of which one must fail; quick ones, that start no process
 * - `named`: only the tests with this in their title, where the files have many
 */
export const FAULTS = [
  ...START_FAULTS,
  ...STORE_FAULTS,
  ...DISK_FAULTS,
  ...WIRE_FAULTS,
  ...SECRET_FAULTS,
  ...WEBHOOK_FAULTS,
  ...LIST_FAULTS,
  ...EXPORT_FAULTS,
  ...CLI_FAULTS,
  ...ROW_FAULTS,
  ...NIGHT_FAULTS,
  ...NOTICE_FAULTS,
  ...NIGHT_DUTY_FAULTS,
  ...LOOP_FAULTS,
  ...MORNING_FAULTS,
  ...FOLDER_FAULTS,
  ...KEPT_FAULTS,
  ...CALLING_FAULTS,
  ...PERSON_FAULTS,
  ...PROFILE_FAULTS,
  ...REHEARSAL_FAULTS,
  ...MONITORING_FAULTS,
  ...FORECAST_FAULTS,
];
