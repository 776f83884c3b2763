import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TableReading } from '#server/wire/import-row.ts';
import { limits } from '#shared/limits.ts';
import { splitRows } from '../split-rows.ts';
import { UploadMeter } from '../upload-meter.ts';

async function* stream(bytes: Uint8Array, cuts: number[]) {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    // Senders' buffers are used again: a splitter that keeps a view of one would find other bytes in it.
    const chunk = Buffer.from(bytes.subarray(from, to));
    yield chunk;
    chunk.fill(0x78);
    from = to;
  }
}

type Asked = TableReading & { charset?: string | null; cuts?: number[] };

/** Rows as `name=cell` by line, faults as `!message`. */
async function read(upload: string | Uint8Array, { charset = null, cuts = [], ...table }: Asked = {}) {
  const bytes = typeof upload === 'string' ? Buffer.from(upload) : upload;
  const rows: {
    line: number | undefined;
    cells: Record<string, string>;
    types: string[];
    fault: string | null;
  }[] = [];
  for await (const row of splitRows(stream(bytes, cuts), { table, charset }, new UploadMeter())) {
    expect(row.index).toBe(rows.length);
    if ('text' in row) throw new Error('a row of a table has no text');
    const { line } = row;
    if ('fault' in row) rows.push({ line, cells: {}, types: [], fault: row.fault.message });
    else {
      const named = row.columns.flatMap((column, i) => (column ? [[column.name, row.cells[i] ?? '']] : []));
      const types = row.columns.map((column) => column?.type ?? 'none');
      rows.push({ line, cells: Object.fromEntries(named), types, fault: null });
    }
  }
  return rows;
}

const brief = async (upload: string | Uint8Array, asked?: Asked) =>
  (await read(upload, asked)).map(({ line, cells, fault }) => [line, fault ?? Object.values(cells)]);

const goesOn = (cell: number) =>
  `Cell ${cell} of the row goes on behind its closing quote; a quote within quotes is written twice`;

const cell = fc.string({
  unit: fc.constantFrom(
    'a',
    'é',
    '漢',
    '😀',
    '"',
    ',',
    ';',
    '\t',
    '\n',
    '\r',
    '\r\n',
    ' ',
    '\u0000',
    '\ufeff',
  ),
  maxLength: 8,
});
/** As RFC 4180 writes it; a cell may be quoted that need not be. */
const written = (text: string, delimiter: string, isQuoted: boolean) =>
  isQuoted || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

describe('a table', () => {
  test('whatever is in its cells comes out as it went in, however it is written, encoded and cut', async () => {
    const tables = fc.record({
      rows: fc
        .integer({ min: 1, max: 4 })
        .chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
        ),
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
      encoding: fc.constantFrom('utf-8', 'utf-8 with a mark', 'utf-16le', 'utf-16be'),
      quoted: fc.boolean(),
      endsWithNewline: fc.boolean(),
      cuts: fc.array(fc.nat(), { maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const { rows, delimiter, newline, quoted, endsWithNewline, cuts } = table;
        const header = (rows[0] ?? []).map((_, i) => `c${i}`);
        // A line without anything is no row.
        const kept = rows.filter((row) => row.some((text) => text !== '') || row.length > 1 || quoted);
        const lines = [header, ...kept].map((row) =>
          row.map((text) => written(text, delimiter, quoted)).join(delimiter),
        );
        const text = lines.join(newline) + (endsWithNewline ? newline : '');
        const out = await read(encoded(text, table.encoding), { delimiter, cuts });
        expect(out.map(({ cells }) => Object.values(cells))).toEqual(kept);
        expect(out.map(({ fault }) => fault)).toEqual(kept.map(() => null));
      }),
      { numRuns: 300 },
    );
  });

  test('has the line of each row, also behind cells of several lines', async () => {
    const upload = 'id,text\r\n1,"a\r\nb\nc\rd"\r\n\r\n2,plain\r\n3,"last"';
    expect(await brief(upload)).toEqual([
      [2, ['1', 'a\r\nb\nc\rd']],
      [7, ['2', 'plain']],
      [8, ['3', 'last']],
    ]);
  });

  test.each([
    ['id;name;a,b\n1;x;y', ';', ['1', 'x', 'y']],
    ['id\tname\n1\tx', '\t', ['1', 'x']],
    ['id|name\n1|x', '|', ['1', 'x']],
    ['"a,b,c,d";id\nx;1', ';', ['x', '1']],
    ['id\nonly', ',', ['only']],
    ['id,a;b\n1,x', ',', ['1', 'x']],
    ['Größe;Länge\n1,5;2', ';', ['1,5', '2']],
  ])('tells its delimiter by the header %j', async (upload, _, cells) => {
    expect((await read(upload)).map((row) => Object.values(row.cells))).toEqual([cells]);
  });

  test('tells it by the beginning of a long header', async () => {
    const header = Array.from({ length: 900 }, (_, i) => `"column, ${i}"`).join(';');
    const [row] = await read(`${header}\n${Array.from({ length: 900 }, (_, i) => i).join(';')}\n`);
    expect(row).toMatchObject({ fault: null, cells: { 'column, 0': '0', 'column, 899': '899' } });
  });

  test('a quote within a word opens nothing', async () => {
    expect(await brief('id,size\n1,5" pipe\n2,"5"" pipe"\n3,x"y"z')).toEqual([
      [2, ['1', '5" pipe']],
      [3, ['2', '5" pipe']],
      [4, ['3', 'x"y"z']],
    ]);
  });

  test('a row that cannot be read is its own fault, and the next one is found again', async () => {
    const upload = 'id,name\n1,a\n2\n3,b,c\n4,d,,\n5,"x"y\n6,e\n';
    expect(await brief(upload)).toEqual([
      [2, ['1', 'a']],
      [3, 'The row has 1 cells, the header has 2'],
      [4, 'The row has 3 cells, the header has 2'],
      [5, ['4', 'd']],
      [6, goesOn(2)],
      [7, ['6', 'e']],
    ]);
    const badUtf8 = Buffer.concat([Buffer.from('id\na\n'), Buffer.of(0xc3, 0x28), Buffer.from('\nb\n')]);
    expect(await brief(badUtf8)).toEqual([
      [2, ['a']],
      [3, expect.stringMatching(/^This is not valid UTF-8; .*charset=windows-1252/)],
      [4, ['b']],
    ]);
    expect(await brief('id,name\n1,"never\n2,closed\n')).toEqual([
      [2, 'A quote is opened in this row and never closed to the end'],
    ]);
  });

  test('a quoted cell that goes on behind its closing quote is told from each that is as it should be', async () => {
    const rows = ['"a"b,x', '"""a"" b",y', '', '', '', '"a"b,z', '1,"p, ""q""" ', '2,""r', '3,"""s"" t"'];
    expect(await brief(['id,name', ...rows].join('\n'))).toEqual([
      [2, goesOn(1)],
      [3, ['"a" b', 'y']],
      [7, goesOn(1)],
      [8, goesOn(2)],
      [9, goesOn(2)],
      [10, ['3', '"s" t']],
    ]);
    for (const newline of ['\n', '\r\n', '\r']) {
      const upload = ['id,name', '', '', '', '', '', '"1","""a"" b"', ''].join(newline);
      expect(await brief(upload)).toEqual([[7, ['1', '"a" b']]]);
    }
  });

  test('whatever it is, it gives the same rows however it is cut', async () => {
    const parts = ['"', '""', ',', ';', '\n', '\r', '\r\n', 'a', 'é', '\n"', '",', '"\n', ' ', '\u0000'];
    const tables = fc.array(fc.constantFrom(...parts), { maxLength: 60 });
    const someCuts = fc.array(fc.nat(), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(tables, someCuts, async (table, cuts) => {
        const upload = `id,text\n1,x\n${table.join('')}`;
        expect(await read(upload, { delimiter: ',', cuts })).toEqual(await read(upload, { delimiter: ',' }));
      }),
      { numRuns: 500 },
    );
  });

  test('ends with a row over the limit, of which no more than the limit is kept', async () => {
    const meter = new UploadMeter();
    async function* chunks() {
      yield Buffer.from('id,text\n1,a\n2,"');
      for (let i = 0; i < 160; i += 1) yield Buffer.alloc(64 * 1024, 'x\n');
      yield Buffer.from('"\n3,b\n');
    }
    const rows: string[] = [];
    for await (const row of splitRows(chunks(), { table: {}, charset: null }, meter)) {
      rows.push('fault' in row ? row.fault.code : 'cells' in row ? row.cells.join() : '');
    }
    expect(rows).toEqual(['1,a', 'PAYLOAD_TOO_LARGE']);
    expect(meter.peakBytes).toBeLessThan(5 * 1024 * 1024);
    // Its sender is read to the end, so that it hears the answer.
    expect(meter.totalBytes).toBeGreaterThan(10 * 1024 * 1024);
  });

  test('ends with a row of too many cells, or of too many bytes in several', async () => {
    const many = `id,text\n1,a\n\n2${',x'.repeat(limits.tableColumnsMax)}\n3,b\n`;
    expect(await brief(many)).toEqual([
      [2, ['1', 'a']],
      [4, 'The row has more than 1000 cells; what follows it is not read'],
    ]);
    const half = 'x'.repeat(limits.documentBytesMax / 2);
    expect(await brief(`id,text\n1,${half}\n2,${half}\n${half},${half}\n3,b\n`)).toEqual([
      [2, ['1', half]],
      [3, ['2', half]],
      [4, 'A row can be at most 4 MB; what follows it is not read'],
    ]);
  });

  test.each([
    ['', 'Expected a header line that names the columns'],
    ['\n\n', 'Expected a header line that names the columns'],
    ['id,id\n1,2', 'The header: Two columns become the field "id"'],
    [',\n1,2', 'The header: The header names no field'],
    [
      `id,${'n'.repeat(1_025)}\n1,2`,
      `The header: The field "${'n'.repeat(32)}…" has more than 1024 characters`,
    ],
    [`${'x,'.repeat(1_000)}x\n`, 'The header: The row has more than 1000 cells; what follows it is not read'],
  ])('a header that cannot be used is the fault of the upload: %j', async (upload, fault) => {
    expect((await read(upload)).map((row) => row.fault)).toEqual([fault]);
  });

  test('columns become the fields they are mapped to, or none', async () => {
    const upload = 'ID, Title ,Notes,\n1,Solaris,secret,\n2,Stalker,,\n';
    const mapping = { ID: 'id', Title: 'title', Notes: null };
    expect((await read(upload, { mapping })).map(({ cells }) => cells)).toEqual([
      { id: '1', title: 'Solaris' },
      { id: '2', title: 'Stalker' },
    ]);
    expect(await brief('id,\n1,\n2,x\n')).toEqual([
      [2, ['1']],
      [3, 'Cell 2 of the row is in a column without a name'],
    ]);
    expect((await read(upload, { mapping: { title: 'x' } })).map(({ fault }) => fault)).toEqual([
      'The header: mapping: the header has no column "title"',
    ]);
  });

  test('a column is of the type that all its first cells have', async () => {
    const header = 'id,n,zip,title,ok,mixed,empty';
    const rows = ['1,1,01234,1984,true,1,', '2,-2.5e3,10115,Solaris,FALSE,x,', '3,,10117,,,,'];
    const [first] = await read([header, ...rows].join('\n'));
    expect(first?.types).toEqual(['number', 'number', 'string', 'string', 'boolean', 'string', 'any']);
    // The first hundred rows tell.
    const many = Array.from({ length: 150 }, (_, i) => (i < 120 ? String(i) : 'x'));
    expect(new Set((await read(['n', ...many].join('\n'))).map(({ types }) => types.join()))).toEqual(
      new Set(['number']),
    );
  });

  test('separated by semicolons has numbers with a decimal comma where a whole column says so', async () => {
    const upload = 'id;preis;menge;text\n1;156,69;1,234;1,5\n2;1.234,50;2,500;x\n';
    const [first] = await read(upload);
    expect(first?.types).toEqual(['number', 'decimal comma', 'string', 'string']);
    expect((await read(upload, { delimiter: ';' }))[0]?.types[1]).toBe('decimal comma');
    expect((await read('id,n\n1,"156,69"\n'))[0]?.types).toEqual(['number', 'string']);
  });

  test('is read in the charset it says it has; a mark says more', async () => {
    const latin1 = Buffer.from('id,name\n1,Zoë\n', 'latin1');
    expect(await brief(latin1, { charset: 'windows-1252' })).toEqual([[2, ['1', 'Zoë']]]);
    expect(await brief(encoded('id\nZoë', 'utf-16le'), { charset: 'windows-1252' })).toEqual([[2, ['Zoë']]]);
  });

  test('in UTF-16 is known without a mark, however its beginning is cut', async () => {
    for (const charset of ['utf-16le', 'utf-16be']) {
      const upload = encoded('id;name\n1;Zoë 日本\n', charset).subarray(2);
      for (const cuts of [[], [1, 2, 3, 4]])
        expect(await brief(upload, { cuts })).toEqual([[2, ['1', 'Zoë 日本']]]);
    }
    // Two bytes are no header that tells.
    expect(await brief(Buffer.from('a\u0000'))).toEqual([]);
  });

  test('bytes that are none of its charset are the fault of their row', async () => {
    const bytes = [Buffer.from('id,name\n1,'), Buffer.of(0x83, 0x5c), Buffer.from('\n2,'), Buffer.of(0xff)];
    const upload = Buffer.concat([...bytes, Buffer.from('\n3,x\n')]);
    expect(await brief(upload, { charset: 'shift_jis' })).toEqual([
      [2, ['1', 'ソ']],
      [3, 'This is not valid shift_jis'],
      [4, ['3', 'x']],
    ]);
    expect(await brief(encoded('id\n\ufffd', 'utf-16le'))).toEqual([[2, ['\ufffd']]]);
  });
});

function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with a mark') return Buffer.from(`\ufeff${text}`);
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf-16le' ? little : little.swap16();
}
