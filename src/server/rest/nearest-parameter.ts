import { AppError } from '#server/errors.ts';
import { unknownField } from '#server/to-app-error.ts';
import type { Operation } from './catalogue.ts';
import { inputSchema } from './input-schema.ts';
import type { JsonSchema } from './json-schema.ts';

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
  return nearestName(wanted, known);
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

/** Longer names are not compared. */
const comparedMax = 40;

/** By letters; a name that another one begins with is nearer than any that is misspelt. Null: none is near. */
export function nearestName(wanted: string, known: string[]): string | null {
  if (wanted.length > comparedMax) return null;
  const most = Math.floor(wanted.length / 3);
  let nearest: string | null = null;
  let least = most + 1;
  for (const name of known) {
    const begins = name.startsWith(`${wanted}_`) || wanted.startsWith(`${name}_`);
    const distance = begins ? 0.5 : editDistance(wanted.toLowerCase(), name.toLowerCase());
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

/** Levenshtein's (1965), by rows. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
