// @vitest-environment node
import { expect, it } from 'vitest';
import { inferFields } from './infer-fields.ts';
import { previewFile } from './upload-format.ts';

it('proposes numbers for a column of decimal commas in a table that semicolons separate', async () => {
  const types = async (table: string) => {
    const { contents } = await previewFile(new Blob([table]));
    return inferFields(contents[0]).map(({ name, type }) => `${name}: ${type}`);
  };
  expect(await types('preis;menge;text\n156,69;1,234;1,5\n1.234,50;2,500;x\n')).toEqual([
    'preis: number',
    'menge: string',
    'text: string',
  ]);
  expect(await types('preis,n\n"156,69",1\n')).toEqual(['preis: string', 'n: number']);
});
