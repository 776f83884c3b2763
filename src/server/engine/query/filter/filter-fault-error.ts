import type { Diagnostic } from '../../types.ts';

/** A filter that does not parse, or does not fit the collection's fields. */
export class FilterFaultError extends Error {
  readonly diagnostics: Diagnostic[];
  /** It is the search's second filter, which its caller has not written. */
  readonly isOfRule: boolean;

  constructor(diagnostics: Diagnostic[], isOfRule = false) {
    super('The filter has faults');
    this.name = 'FilterFaultError';
    this.diagnostics = diagnostics;
    this.isOfRule = isOfRule;
  }
}
