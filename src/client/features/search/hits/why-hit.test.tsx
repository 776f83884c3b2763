import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { WhyHit } from './why-hit.tsx';

it('what words, meaning and good hits near to it add is told line by line, and adds up to the score', () => {
  const fusion = {
    method: 'weighted',
    alpha: 0.5,
    keyword: { value: 0.4 },
    vector: { value: 0.8 },
    neighbours: { weight: 0.4, value: 0.5 },
  } as const;
  const parts = { keyword: 0.12, vector: 0.24 + 0.2 };
  render(
    <MantineProvider>
      <WhyHit hit={{ score: 0.56, explain: { parts, fusion } }} below={null} sentence={null} />
    </MantineProvider>,
  );
  const rows = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ['Words', '0.400 of 1, times 0.30', '0.120'],
    ['Meaning', '0.800 of 1, times 0.30', '0.240'],
    ['Good hits near to it', '0.500 of 1, times 0.40', '0.200'],
    ['Score', '', '0.560'],
  ]);
});
