import { resolve } from 'node:path';
import { startSimulator } from '../../simulator/server.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { requireNoDatabaseFile } from '../places/output-file.ts';
import type { World } from '../world.ts';
import { madeUpSecret } from './service.ts';

export interface SimulateRequest extends Omit<SimulatorOptions, 'clock' | 'webhooks'> {
  /** Keys that the service accepts; if empty, one is made up. */
  keys: readonly string[];
  /** Where webhooks about finished calls and captured leads go; without a secret one is made up. Null: nowhere. */
  webhooks: { url: string; secret: string | undefined } | null;
}

/**
 * Runs the embedded voice service by itself, until it is closed.
 *
 * @throws AppError `OUTPUT_IN_USE`, those of `startSimulator` (exit 2)
 */
export async function simulateService(request: SimulateRequest, world: World) {
  const keys = request.keys.length > 0 ? request.keys : [world.newId('key')];
  const to = request.webhooks;
  const webhooks = to === null ? null : { ...to, secret: to.secret ?? madeUpSecret(world) };
  const state = request.state === null ? null : resolve(world.cwd, request.state);
  if (state !== null) requireNoDatabaseFile(state, world);
  const options = { ...request, keys, webhooks, state, clock: world.clock };
  const simulator = await startSimulator(options);
  return { url: simulator.url, keys, webhooks, close: () => simulator.close() };
}
