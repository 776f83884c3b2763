/** A query of the cluster's own language, as JSON. */
export type Query = { [clause: string]: unknown };

export const everything: Query = { match_all: {} };
export const nothing: Query = { match_none: {} };

export const term = (field: string, value: string | boolean): Query => ({ term: { [field]: { value } } });
export const prefix = (field: string, value: string): Query => ({ prefix: { [field]: { value } } });

/** Passages are documents of their own beside the one they are of, and have none of its fields. */
export const among = (field: string, values: readonly string[]): Query => ({ terms: { [field]: values } });

export function allOf(queries: Query[]): Query {
  const [only] = queries;
  if (only === undefined) return everything;
  return queries.length === 1 ? only : { bool: { filter: queries } };
}

export function anyOf(queries: Query[]): Query {
  const [only] = queries;
  if (only === undefined) return nothing;
  return queries.length === 1 ? only : { bool: { should: queries, minimum_should_match: 1 } };
}

/** Asked of whole documents, passages aside. */
export const noneOf = (queries: Query[]): Query => ({ bool: { filter: [everything], must_not: queries } });
