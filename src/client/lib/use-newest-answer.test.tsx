import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { useNewestAnswer } from './use-newest-answer.ts';

interface UnderWay {
  signal: AbortSignal;
  answer: () => void;
  fail: () => void;
}

/** Asks for each word that is clicked; answers come when the test says so. */
function setUp(words: string[]) {
  const underWay = new Map<string, UnderWay>();
  function Words() {
    const [word, setWord] = useState(words[0] ?? '');
    const { answer, error, isCurrent } = useNewestAnswer({
      key: [['search'], word],
      collections: [1],
      ask: (signal) =>
        new Promise<string>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          underWay.set(word, {
            signal,
            answer: () => resolve(`answer to ${word}`),
            fail: () => reject(new Error(`no ${word}`)),
          });
        }),
    });
    return (
      <>
        {words.map((other) => (
          <button key={other} type="button" onClick={() => setWord(other)}>
            {other}
          </button>
        ))}
        <p>{`${answer ?? 'nothing'}${isCurrent ? '' : ', not current'}${error ? `, ${String(error)}` : ''}`}</p>
      </>
    );
  }
  renderPart(<Words />);
  const ask = async (word: string) => {
    (await screen.findByRole('button', { name: word })).click();
    await waitFor(() => expect(underWay.has(word)).toBe(true));
  };
  const get = (word: string) => {
    const found = underWay.get(word);
    if (!found) throw new Error(`${word} was not asked`);
    return found;
  };
  return { ask, get };
}

it('shows each complete answer that is newer than the shown one, and gives up only what is older', async () => {
  const { ask, get } = setUp(['s', 'st', 'sta']);
  await ask('s');
  await ask('st');
  await ask('sta');
  expect(['s', 'st', 'sta'].map((word) => get(word).signal.aborted)).toEqual([false, false, false]);
  get('st').answer();
  expect(await screen.findByText('answer to st, not current')).toBeDefined();
  await waitFor(() => expect(get('s').signal.aborted).toBe(true));
  expect(get('sta').signal.aborted).toBe(false);
  get('sta').answer();
  expect(await screen.findByText('answer to sta')).toBeDefined();
});

it('keeps what will answer first and the newest under way when keys are faster than answers', async () => {
  const { ask, get } = setUp(['s', 'st', 'sta', 'star', 'start']);
  for (const word of ['s', 'st', 'sta', 'star', 'start']) await ask(word);
  await waitFor(() =>
    expect(['s', 'st', 'sta', 'star', 'start'].map((word) => get(word).signal.aborted)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]),
  );
});

it('says why the newest failed beside the last complete answer', async () => {
  const { ask, get } = setUp(['s', 'st', 'sta']);
  await ask('s');
  get('s').answer();
  expect(await screen.findByText('answer to s')).toBeDefined();
  await ask('st');
  get('st').fail();
  expect(await screen.findByText('answer to s, not current, Error: no st')).toBeDefined();
  await ask('sta');
  expect(await screen.findByText('answer to s, not current')).toBeDefined();
  get('sta').answer();
  expect(await screen.findByText('answer to sta')).toBeDefined();
});
