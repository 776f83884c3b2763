import type { Field } from '../columns/field.ts';
import type { FilterOperand } from './filter-ast.ts';
import type { FilterSource } from './filter-source.ts';

/** Text operands against the texts of a field. */
export interface TextMatch {
  field: Field;
  operands: FilterOperand[];
  /** The whole value (`:=`) rather than words of it (`:`). */
  isWhole: boolean;
  source: FilterSource;
}
