import fc from 'fast-check';
import { catalogue, type Operation } from '#server/rest/catalogue.ts';
import { inputSchema, property } from '#server/rest/input-schema.ts';
import { arbitraryOfField, hostileValue } from './arbitrary-of.ts';

/** Whoever calls: most requests should come further than to a 401. */
type FuzzCaller = 'nobody' | 'the owner' | "the project's key";

/** A request as it differs from one that is known to be right. */
export interface FuzzedRequest {
  operation: Operation;
  as: FuzzCaller;
  /** Fields of the input that are replaced or added. */
  changed: Record<string, unknown>;
  /** Fields that are left out. */
  dropped: string[];
  /** The body in place of one that follows from the fields; null: that one. */
  body: string | null;
}

/** By what the API's description says that an operation takes. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc.constantFrom(...catalogue).chain((operation) => {
  const names = Object.keys(inputSchema(operation).properties ?? {});
  return fc.record({
    operation: fc.constant(operation),
    as: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom<FuzzCaller[]>('the owner', "the project's key") },
      { weight: 1, arbitrary: fc.constant<FuzzCaller>('nobody') },
    ),
    changed: fc
      .subarray(names, { maxLength: Math.min(3, names.length) })
      .chain((some) => changesOf(operation, some)),
    dropped: fc.oneof(
      { weight: 9, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.subarray(names, { maxLength: Math.min(2, names.length) }) },
    ),
    body: fc.oneof(
      { weight: 19, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string(), fc.constant('{"a":'), fc.constant('')) },
    ),
  });
});

/** Few at once: with all of some thirty fields changed hardly a request would be one that is answered. */
function changesOf(operation: Operation, names: string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc.oneof(
          { weight: 5, arbitrary: arbitraryOfField(name, property(operation, name) ?? {}) },
          { weight: 1, arbitrary: hostileValue },
        ),
      ]),
    ),
  );
}
