import { restRoutes } from '#server/rest/routes.ts';
import { appRouter, type ProcedureName } from '#server/rpc/router.ts';
import { type EndpointName, endpoints } from '#shared/endpoints.ts';
import type { Operation, Target } from './operations.ts';

/** A request that asks for an operation, without credentials. */
export interface DoorRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** One way into one operation. */
export interface Door {
  /** As the test is called: `REST GET /api/projects/{id}`, `tRPC projects.get`. */
  title: string;
  procedure: ProcedureName;
  request(operation: Operation, target: Target, serial: number): DoorRequest;
}

/** Every procedure of the router over HTTP. */
export const trpcDoors: Door[] = Object.entries(appRouter._def.procedures).flatMap(([key, value]) =>
  procedureNames(key, value).map(({ name, type }) => ({
    title: `tRPC ${name}`,
    procedure: name,
    request(operation, target, serial) {
      const input = operation.input(target, serial);
      if (type === 'mutation') return { method: 'POST', path: `/trpc/${name}`, body: input ?? {} };
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return { method: 'GET', path: `/trpc/${name}${query}` };
    },
  })),
);

/** A router's record holds procedures under dotted names, or further records. */
function procedureNames(key: string, value: unknown): { name: ProcedureName; type: string }[] {
  if (typeof value === 'function' && '_def' in value) {
    const { type } = value._def as { type: string };
    return [{ name: key as ProcedureName, type }];
  }
  return Object.entries(value as Record<string, unknown>).flatMap(([inner, found]) =>
    procedureNames(`${key}.${inner}`, found),
  );
}

/** Every operation of the REST table. */
export const restDoors: Door[] = Object.entries(restRoutes).map(([name, route]) => {
  const endpoint = endpoints[name as EndpointName];
  return {
    title: `REST ${endpoint.method} ${endpoint.path}`,
    procedure: route.procedure,
    request(operation, target, serial) {
      const rest = { ...operation.input(target, serial) };
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
        const field = route.path?.[parameter] ?? parameter;
        const value = rest[field];
        delete rest[field];
        return encodeURIComponent(String(value));
      });
      if (route.stream === 'import') {
        return { method: endpoint.method, path, body: [{ id: 'planted', title: 'Planted' }] };
      }
      const body =
        route.body === undefined ? undefined : route.body === 'fields' ? rest : rest[route.body.as];
      const query = new URLSearchParams();
      for (const field of endpoint.method === 'GET' ? Object.keys(rest) : (route.query ?? [])) {
        if (rest[field] !== undefined) query.set(field, String(rest[field]));
      }
      return {
        method: endpoint.method,
        path: query.size > 0 ? `${path}?${query}` : path,
        ...(body !== undefined && { body }),
      };
    },
  };
});
