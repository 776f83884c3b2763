import type { Options } from 'csv-parse';

/** How csv-parse reads every table: as RFC 4180 has it. */
export const tableDialect = {
  record_delimiter: ['\r\n', '\n', '\r'],
  // A character for each byte: bytes that are no UTF-8 are the fault of their row alone.
  encoding: 'latin1',
  // A quote within a word is a character like others.
  relax_quotes: true,
  // How many cells a row must have is told by the header.
  relax_column_count: true,
  skip_empty_lines: true,
} satisfies Options;
