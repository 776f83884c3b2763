/** What of a search names fields. */
export type NamingPart = 'fields' | 'sort' | 'facets' | 'facetQuery' | 'group' | 'color';

/** A search names a field that its collection does not have, or whose type does not go with what is asked of it. */
export class FieldNameError extends Error {
  readonly part: NamingPart;
  /** What is wrong with which name. */
  readonly fault: string;

  constructor(part: NamingPart, fault: string) {
    super(`${part}: ${fault}`);
    this.name = 'FieldNameError';
    this.part = part;
    this.fault = fault;
  }
}
