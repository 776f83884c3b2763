import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { searchState } from './search-state.ts';
import { demandsOf } from './understood.ts';
import { UnderstoodChips } from './understood-chips.tsx';

it('says what was understood, which can be taken back and understood again', async () => {
  const onChange = vi.fn();
  renderPart(
    <UnderstoodChips
      state={searchState({ q: 'turner under $30 drama', skip: ['drama', 'gone'] } as Parameters<
        typeof searchState
      >[0])}
      onChange={onChange}
      parts={[
        { phrase: 'turner', field: 'artist', filter_by: 'artist:Turner' },
        { phrase: 'under $30', field: 'price', filter_by: 'price:<30' },
      ]}
      demands={[]}
      corrections={[]}
    />,
  );
  const chips = await screen.findByRole('group', { name: 'What was understood' });
  expect(chips.textContent).toBe('artist: Turnerprice < 30“drama” as words');
  await userEvent.click(
    screen.getByRole('button', { name: 'Search for the words “under $30” instead of price < 30' }),
  );
  expect(onChange).toHaveBeenLastCalledWith({ skip: ['drama', 'gone', 'under $30'], page: 1 });
  await userEvent.click(screen.getByRole('button', { name: 'Let “drama” be understood again' }));
  expect(onChange).toHaveBeenLastCalledWith({ skip: ['gone'], page: 1 });
});

it('says what every hit must hold and none may, and what was read as a typo, each of which can be taken back', async () => {
  const onChange = vi.fn();
  renderPart(
    <UnderstoodChips
      state={searchState({ q: 'moon "space station" -war' } as Parameters<typeof searchState>[0])}
      onChange={onChange}
      parts={[]}
      demands={demandsOf({ phrases: ['space station'], excluded: ['war'] })}
      corrections={[{ from: 'chess', to: 'chest' }]}
    />,
  );
  const chips = await screen.findByRole('group', { name: 'What was understood' });
  expect(chips.textContent).toBe('“space station” word for wordwithout “war”“chess” read as “chest”');
  await userEvent.click(
    screen.getByRole('button', { name: 'Search for the words of “space station” wherever they stand' }),
  );
  expect(onChange).toHaveBeenLastCalledWith({ q: 'moon space station -war', page: 1 });
  await userEvent.click(screen.getByRole('button', { name: 'Leave “war” out no longer' }));
  expect(onChange).toHaveBeenLastCalledWith({ q: 'moon "space station"', page: 1 });
  await userEvent.click(screen.getByRole('button', { name: 'Search for “chess” as it was typed' }));
  expect(onChange).toHaveBeenLastCalledWith({ tuned: { num_typos: 0 }, page: 1 });
});
