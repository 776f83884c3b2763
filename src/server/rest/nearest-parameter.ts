import { nearestName } from '#server/engine/search-index.ts';
import { AppError } from '#server/errors.ts';
import { unknownField } from '#server/to-app-error.ts';
import type { Operation } from './catalogue.ts';
import { inputSchema } from './input-schema.ts';
import type { JsonSchema } from './json-schema.ts';

const nearness = {
  most: (length: number) => Math.floor(length / 3),
  isPart: (name: string, known: string) => known.startsWith(`${name}_`) || name.startsWith(`${known}_`),
};

/** A refusal of fields that an operation does not know, with the nearest that it knows; any other error as it is. */
export function withNearestParameter(error: unknown, operation: Operation): unknown {
  if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST' || !error.details) return error;
  const details = error.details.map((detail) => {
    if (detail.message !== unknownField) return detail;
    const nearest = nearestOf(operation, detail.path.split('.'));
    return nearest === null ? detail : { ...detail, message: `${unknownField}; the nearest is "${nearest}"` };
  });
  const [first] = details;
  if (!first || details.every((detail, i) => detail === error.details?.[i])) return error;
  return new AppError('BAD_REQUEST', `${first.path}: ${first.message}`, { details, cause: error });
}

function nearestOf(operation: Operation, path: string[]): string | null {
  const wanted = path.at(-1) ?? '';
  const inAddress = new Set(path.length === 1 ? operation.parameters.map(({ field }) => field) : []);
  const known = namesAt([inputSchema(operation)], path.slice(0, -1)).filter((name) => !inAddress.has(name));
  return nearestName(wanted, known, nearness);
}

/** The fields that may stand at a path, `searches.0`. */
function namesAt(schemas: JsonSchema[], [next, ...rest]: string[]): string[] {
  const forms = schemas.flatMap((schema) => [schema, ...(schema.anyOf ?? [])]);
  if (next === undefined) return forms.flatMap(({ properties }) => Object.keys(properties ?? {}));
  const within = forms.flatMap(
    ({ properties, items }) => (/^\d+$/.test(next) ? items : properties?.[next]) ?? [],
  );
  return namesAt(within.filter((one) => typeof one === 'object') as JsonSchema[], rest);
}
