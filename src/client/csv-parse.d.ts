/** Stands for the types of `csv-parse/browser/esm/sync`, which would bring Node's globals (`Buffer`, `process`) into the console. */
export function parse(
  input: string,
  options: {
    delimiter: string;
    /** Records, the header included. */
    to: number;
    record_delimiter: string[];
    relax_quotes: boolean;
    relax_column_count: boolean;
    skip_empty_lines: boolean;
    /** Null: the record is not kept. */
    on_record: (record: string[]) => null;
  },
): string[][];
