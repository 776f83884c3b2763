import type { Operation as RestOperation } from '#server/rest/catalogue.ts';
import { queryFields } from '#server/rest/describe-parameters.ts';
import { operations, type Target } from '../isolation/operations.ts';
import { restRoutes } from '../isolation/transports.ts';

/** The request for an operation that is known to be right, with some fields of its input replaced, added or (undefined) left out. */
export function toRequest(
  rest: RestOperation,
  target: Target,
  { changed = {}, serial }: { changed?: Record<string, unknown>; serial: number },
) {
  const route = restRoutes.find(({ title }) => title === `REST ${rest.method} ${rest.path}`);
  if (!route) throw new Error(`${rest.method} ${rest.path} is no route`);
  const operation = operations[rest.procedure.name];
  const fields: Record<string, unknown> = { ...operation.input(target, serial), ...changed };
  for (const { field } of rest.parameters) fields[field] = segmentOf(fields[field]);
  for (const name of queryFields(rest)) if (fields[name] !== undefined) fields[name] = textOf(fields[name]);
  return route.request({ ...operation, input: () => fields }, target, serial);
}

/** As it stands in an address, where `.` and `..` would lead elsewhere before anything is sent. */
function segmentOf(value: unknown): string {
  const text = textOf(value).toWellFormed();
  return text === '.' || text === '..' ? 'dots' : text;
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
