import type { JsonSchema } from '#server/rest/json-schema.ts';

/** Longer texts do not fit into the head of a request. */
const textInAddressMax = 4_000;

/**
 * What a field does not take by its schema, and what it takes at its edges. `isText`: it stands in an address, so that each value is a text.
 */
export function edgesOf(schema: JsonSchema, isText: boolean): { invalid: unknown[]; boundary: unknown[] } {
  if (schema.anyOf) return { invalid: ofNoType(schema.anyOf, isText), boundary: [] };
  if (schema.enum) return { invalid: ['there is no such choice'], boundary: schema.enum as unknown[] };
  if (schema.type === 'integer' || schema.type === 'number') return ofNumber(schema);
  if (schema.type === 'boolean') return { invalid: ['maybe'], boundary: [true, false] };
  if (schema.type === 'string') return ofText(schema, isText);
  if (schema.type === 'array' && !isText) return ofList(schema);
  return { invalid: schema.type === 'object' && !isText ? [true] : [], boundary: [] };
}

/** None of several forms; a text may be any of them. */
function ofNoType(forms: JsonSchema[], isText: boolean): unknown[] {
  const types = forms.flatMap(({ type }) => type ?? []);
  return isText || types.length < forms.length || types.includes('boolean') ? [] : [true];
}

function ofNumber({ type, minimum, maximum }: JsonSchema): { invalid: unknown[]; boundary: unknown[] } {
  return {
    invalid: [
      'x',
      ...(minimum === undefined ? [] : [minimum - 1]),
      ...(maximum === undefined ? [] : [maximum + 1]),
      ...(type === 'integer' ? [(minimum ?? 0) + 0.5] : []),
    ],
    boundary: [minimum, maximum].filter((edge) => edge !== undefined),
  };
}

function ofText(schema: JsonSchema, isText: boolean): { invalid: unknown[]; boundary: unknown[] } {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const isShort = maxLength <= (isText ? textInAddressMax : 70_000);
  const isFree = pattern === undefined && format === undefined;
  return {
    invalid: [
      ...(isShort ? ['x'.repeat(maxLength + 1)] : []),
      ...(minLength > 0 ? [''] : []),
      ...(isText ? [] : [{ unheard_of: 1 }]),
    ],
    boundary: isShort && isFree ? ['x'.repeat(Math.max(1, minLength)), 'x'.repeat(maxLength)] : [],
  };
}

function ofList({ minItems = 0, maxItems }: JsonSchema): { invalid: unknown[]; boundary: unknown[] } {
  return {
    invalid: [
      true,
      ...(minItems > 0 ? [[]] : []),
      ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
    ],
    boundary: [],
  };
}
