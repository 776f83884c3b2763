// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UploadFormatError } from './file-head.ts';
import { previewFile } from './upload-format.ts';

const preview = async (...parts: BlobPart[]) => {
  const { head, contents } = await previewFile(new Blob(parts));
  return { head, contents, first: contents[0] };
};

describe('previewFile', () => {
  it('says which lines are no documents', async () => {
    const file = new Blob(['{"id":"a"}\n{"id":\n\n[1]\n{"id":"b"}\n']);
    const { rows, unread } = (await previewFile(file)).contents[0];
    expect(rows).toEqual([{ id: 'a' }, {}, {}, { id: 'b' }]);
    expect(unread).toEqual([1, 2]);
  });

  it('knows an array and its documents', async () => {
    const { first } = await preview('\uFEFF [ {"id": "a", "x": "],}{\\""}, {"id": "b"} ]');
    expect(first).toEqual({
      format: 'array',
      rows: [{ id: 'a', x: '],}{"' }, { id: 'b' }],
      unread: [],
      isAll: true,
    });
    expect((await preview('[{"a":{"b":[1,2]}}]')).first.rows).toEqual([{ a: { b: [1, 2] } }]);
  });

  it('knows lines', async () => {
    const { first } = await preview('{"id":"a"}\r\n\n{"id":"b"}\n');
    expect(first).toEqual({ format: 'lines', rows: [{ id: 'a' }, { id: 'b' }], unread: [], isAll: true });
  });

  it('knows documents that are wrapped in an object, on one line and on many', async () => {
    const wrapped = { meta: { tags: [{ a: 1 }] }, data: [{ id: 'a' }, { id: 'b' }] };
    for (const text of [JSON.stringify(wrapped), JSON.stringify(wrapped, null, 2)]) {
      const { contents } = await preview(text);
      expect(contents.map(({ format, wrapper, rows }) => [format, wrapper?.path, rows.length])).toEqual([
        ['wrapped', 'data', 2],
        ['wrapped', 'meta.tags', 1],
        ['document', undefined, 1],
      ]);
    }
  });

  it('knows one document that is written over many lines', async () => {
    const { first } = await preview('{\n  "id": "a",\n  "tags": ["x", "y"]\n}\n');
    expect(first).toEqual({
      format: 'document',
      rows: [{ id: 'a', tags: ['x', 'y'] }],
      unread: [],
      isAll: true,
    });
  });

  it.each([
    [',', 'id,name\n1,"Smith, John"\n2,Ann\n'],
    [';', 'id;name\r\n1;Smith, John\r\n2;Ann\r\n'],
    ['\t', 'id\tname\n1\tSmith, John\n2\tAnn'],
  ])('knows a table with %j', async (delimiter, text) => {
    const { first } = await preview(text);
    expect(first).toEqual({
      format: 'table',
      rows: [
        { id: '1', name: 'Smith, John' },
        { id: '2', name: 'Ann' },
      ],
      unread: [],
      isAll: true,
      table: { delimiter, columns: ['id', 'name'] },
    });
  });

  it('unpacks gzip and reads UTF-16', async () => {
    const table = 'id,name\n1,Ähre\n';
    const packed = await preview(gzipSync(table));
    expect(packed.head.isGzip).toBe(true);
    expect(packed.first.rows).toEqual([{ id: '1', name: 'Ähre' }]);
    const wide = await preview(Buffer.from(`\uFEFF${table}`, 'utf16le'));
    expect(wide.head.encoding).toBe('utf-16le');
    expect(wide.first.rows).toEqual([{ id: '1', name: 'Ähre' }]);
    const json = await preview(Buffer.from('[{"id":"ä"}]', 'utf16le').swap16());
    expect(json.head.encoding).toBe('utf-16be');
    expect(json.first.rows).toEqual([{ id: 'ä' }]);
  });

  it('reads the beginning of a large file alone', async () => {
    const line = `${JSON.stringify({ id: 'a', text: 'x'.repeat(1_000) })}\n`;
    const file = new Blob([line.repeat(5_000)]);
    const read: number[] = [];
    const { slice } = file;
    file.slice = (start = 0, end = file.size) => {
      read.push(end - start);
      return slice.call(file, start, end);
    };
    const { contents } = await previewFile(file);
    expect(contents[0]).toMatchObject({ format: 'lines', isAll: false });
    expect(contents[0].rows.length).toBe(200);
    expect(Math.max(...read)).toBeLessThanOrEqual(256 * 1024);
    const long = new Blob([`[{"text":"${'x'.repeat(300_000)}"}]`]);
    expect((await previewFile(long)).contents[0]).toMatchObject({ format: 'array', rows: [], isAll: false });
  });

  it.each([
    ['', 'empty'],
    ['  \n ', 'empty'],
    ['hello', 'neither JSON nor a table'],
    ['[]', 'no documents'],
    ['[1, 2]', 'The first element of the array is not a JSON object: 1'],
    ['{"id": "a"\n}\n{', 'Line 1 is not a whole JSON object'],
    ['<?xml version="1.0"?>', 'HTML or XML'],
    ['PK\u0003\u0004 xlsx', 'Excel'],
    ['PAR1', 'Parquet'],
  ])('says what is wrong with %j', async (text, words) => {
    await expect(preview(text)).rejects.toThrow(UploadFormatError);
    await expect(preview(text)).rejects.toThrow(words);
  });
});
