import { catalogue, type Operation as RestOperation } from '#server/rest/catalogue.ts';
import { openApiDocument } from '#server/rest/openapi.ts';
import { type ProcedureEntry, procedures } from '#server/rpc/procedures.ts';
import type { Operation, Target } from './operations.ts';

/** A request that asks for an operation, without credentials. */
interface RouteRequest {
  method: string;
  path: string;
  body?: unknown;
  /** What the browser remembers beside who is signed in. */
  cookie?: string;
}

/** One way to call one procedure. */
export interface Route {
  /** As the test is called: `REST GET /api/projects/{id}`, `tRPC projects.get`. */
  title: string;
  transport: 'REST' | 'tRPC';
  procedure: ProcedureEntry;
  /** What it may answer by the API's own description; tRPC has none. */
  statuses: readonly number[] | null;
  request(operation: Operation, target: Target, serial: number): RouteRequest;
}

/** Every procedure of the router over HTTP. */
export const trpcRoutes: Route[] = [...procedures.values()].map((procedure) => ({
  title: `tRPC ${procedure.name}`,
  transport: 'tRPC',
  procedure,
  statuses: null,
  request(operation, target, serial) {
    const input = operation.input(target, serial);
    const path = `/trpc/${procedure.name}`;
    const more = cookieOf(operation, target);
    if (procedure.type === 'mutation') return { method: 'POST', path, body: input ?? {}, ...more };
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return { method: 'GET', path: `${path}${query}` };
  },
}));

const { paths } = openApiDocument(catalogue);

/** Every operation of the REST API. */
export const restRoutes: Route[] = catalogue.map((rest) => ({
  title: `REST ${rest.method} ${rest.path}`,
  transport: 'REST',
  procedure: rest.procedure,
  statuses: Object.keys(paths[rest.path]?.[rest.method.toLowerCase()]?.responses ?? {}).map(Number),
  request: (operation, target, serial) => ({
    ...restRequest(rest, { ...operation.input(target, serial) }, operation.rows),
    ...cookieOf(operation, target),
  }),
}));

function cookieOf({ cookie }: Operation, target: Target): { cookie?: string } {
  return cookie ? { cookie: cookie(target) } : {};
}

export function restRequest(
  rest: RestOperation,
  fields: Record<string, unknown>,
  rows: unknown[] = [{ id: 'planted', title: 'Planted' }],
): RouteRequest {
  const path = rest.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const field = rest.parameters.find((parameter) => parameter.name === name)?.field ?? name;
    const value = fields[field];
    delete fields[field];
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const field of rest.query === 'all' ? Object.keys(fields) : rest.query) {
    if (fields[field] !== undefined) query.set(field, String(fields[field]));
  }
  const request: RouteRequest = { method: rest.method, path: query.size > 0 ? `${path}?${query}` : path };
  if (rest.stream === 'import') request.body = rows;
  if (rest.body !== 'none') request.body = rest.body === 'fields' ? fields : fields[rest.body.as];
  return request;
}
