import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useImportFile } from './use-import-file.ts';

/** A file whose text is there once it is let through. */
function heldFile(name: string, title: string) {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const file = new File([`{"id":"1","title":"${title}"}\n`], name, { type: 'application/x-ndjson' });
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    const text = part.text.bind(part);
    const bytes = part.arrayBuffer.bind(part);
    return Object.assign(part, {
      text: async () => {
        await held;
        return text();
      },
      arrayBuffer: async () => {
        await held;
        return bytes();
      },
    });
  };
  return { file, letThrough };
}

it('of two files that are chosen quickly the second counts, whichever is read first; and none once it was put back', async () => {
  const [first, second] = [heldFile('first.ndjson', 'one'), heldFile('second.ndjson', 'two')];
  const { result } = renderHook(() => useImportFile(undefined));
  let reading: Promise<unknown> = Promise.resolve();
  act(() => {
    reading = Promise.all([result.current.choose(first.file), result.current.choose(second.file)]);
  });
  second.letThrough();
  await waitFor(() => expect(result.current.state).toMatchObject({ step: 'ready', file: second.file }));
  first.letThrough();
  await act(() => reading);
  expect(result.current.state).toMatchObject({ step: 'ready', file: second.file });

  const third = heldFile('third.ndjson', 'three');
  act(() => {
    reading = result.current.choose(third.file);
  });
  act(() => result.current.reset());
  third.letThrough();
  await act(() => reading);
  expect(result.current.state).toEqual({ step: 'choose', fault: null });
});
