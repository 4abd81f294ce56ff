import type { TestConsole } from '../console.ts';

/** A route of the API, with something in the place of each parameter. */
export interface Operation {
  method: string;
  path: string;
}

/** Every route that the OpenAPI document of a console has. */
export async function operationsOf(console: TestConsole, parameter = 'x'): Promise<Operation[]> {
  const answer = await console.ask('GET', '/api/v1/openapi.json', undefined, { role: null });
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, parameter),
    })),
  );
}
