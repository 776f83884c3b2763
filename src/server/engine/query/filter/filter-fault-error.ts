import type { Diagnostic } from '../../types.ts';

/** A filter that does not parse, or does not fit the collection's fields. */
export class FilterFaultError extends Error {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super('The filter has faults');
    this.name = 'FilterFaultError';
    this.diagnostics = diagnostics;
  }
}
