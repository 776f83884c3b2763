// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { previewFile, UploadFormatError } from './upload-format.ts';

const preview = (text: string) => previewFile(new Blob([text]));

describe('previewFile', () => {
  it('knows an array and its first document', async () => {
    expect(await preview('\uFEFF [ {"id": "a", "x": "],}{\\""}, {"id": "b"} ]')).toEqual({
      format: 'array',
      first: { id: 'a', x: '],}{"' },
    });
    expect(await preview('[{"a":{"b":[1,2]}}]')).toMatchObject({ first: { a: { b: [1, 2] } } });
  });

  it('knows lines and the first document', async () => {
    expect(await preview('{"id":"a"}\r\n{"id":"b"}\n')).toEqual({ format: 'lines', first: { id: 'a' } });
  });

  it('does not need the end of a long first document', async () => {
    const long = `{"text":"${'x'.repeat(300_000)}"}`;
    expect(await preview(`[${long}]`)).toEqual({ format: 'array', first: null });
    expect(await preview(long)).toEqual({ format: 'lines', first: null });
  });

  it.each([
    ['', 'empty'],
    ['id,name\n1,x', 'neither'],
    ['[]', 'no documents'],
    ['[1, 2]', 'not a JSON object'],
    ['{\n  "id": "a"\n}', 'one object a line'],
  ])('says what is wrong with %j', async (text, words) => {
    await expect(preview(text)).rejects.toThrow(UploadFormatError);
    await expect(preview(text)).rejects.toThrow(words);
  });
});
