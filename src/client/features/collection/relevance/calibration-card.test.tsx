import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import type { Calibration } from '#shared/calibrations.ts';
import { CalibrationCard } from './calibration-card.tsx';

const calibration: Calibration = {
  mode: 'hybrid',
  fittedAt: '2026-03-01T12:00:00Z',
  unjudged: 'ignored',
  queries: 40,
  pairs: 1_200,
  relevant: 300,
  heldOut: { calibrationError: 0.0312, brier: 0.1 },
  weights: { base: -4, score: 5, words: 1, nearest: 0.2 },
  stale: [],
};

it('says that nothing is fitted, fits it when told to, and why it could not', async () => {
  let isEnough = false;
  let calibrations: Calibration[] = [];
  const { calls } = answerTrpc({
    'calibrations.get': () => ({ calibrations }),
    'calibrations.fit': () => {
      if (!isEnough) return refuse({ code: 'UNPROCESSABLE', message: 'Judge more' });
      calibrations = [calibration];
      return calibration;
    },
  });
  renderPart(<CalibrationCard collection={7} mode="hybrid" />);
  expect(await screen.findByText(/^Hybrid search does not tell/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Calibrate' }));
  expect(await screen.findByText('Judge more')).toBeDefined();
  isEnough = true;
  await userEvent.click(screen.getByRole('checkbox', { name: 'What nobody has judged is not relevant' }));
  await userEvent.click(screen.getByRole('button', { name: 'Calibrate' }));
  expect(await screen.findByRole('button', { name: 'Calibrate again' })).toBeDefined();
  expect(
    screen.getByText(
      /^Each hit of a hybrid search tells how likely it is relevant. Calibrated .* on 1,200 hits of 40 queries, 300 of them relevant.$/,
    ),
  ).toBeDefined();
  expect(
    screen.getByText('On queries that it had not seen it was off by 3.1 points of 100 on average.'),
  ).toBeDefined();
  const fits = calls.filter(({ path }) => path === 'calibrations.fit').map(({ input }) => input);
  expect(fits).toEqual([
    { collection: 7, mode: 'hybrid', unjudged: 'ignored' },
    { collection: 7, mode: 'hybrid', unjudged: 'not_relevant' },
  ]);
});

it('says why it could not be loaded, and tries again', async () => {
  let isAway = true;
  answerTrpc({
    'calibrations.get': () =>
      isAway ? refuse({ code: 'UNPROCESSABLE', message: 'Not now' }) : { calibrations: [calibration] },
  });
  renderPart(<CalibrationCard collection={7} mode="hybrid" />);
  expect(await screen.findByText('Not now')).toBeDefined();
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Calibrate again' })).toBeDefined();
});

it('is about searches of one mode, says what has changed since, and is removed', async () => {
  let calibrations: Calibration[] = [
    { ...calibration, mode: 'keyword' },
    { ...calibration, stale: ['settings', 'judgements'] },
  ];
  const { calls } = answerTrpc({
    'calibrations.get': () => ({ calibrations }),
    'calibrations.delete': () => {
      calibrations = calibrations.slice(0, 1);
      return { deleted: 1 };
    },
  });
  renderPart(<CalibrationCard collection={7} mode="hybrid" />);
  expect(
    await screen.findByText('Since then the search settings and many judgements changed: calibrate again.'),
  ).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull());
  expect(calls.find(({ path }) => path === 'calibrations.delete')?.input).toEqual({
    collection: 7,
    mode: 'hybrid',
  });
});

it('says where the error is too large to rely on', async () => {
  const heldOut = { calibrationError: 0.051, brier: 0.2 };
  answerTrpc({ 'calibrations.get': () => ({ calibrations: [{ ...calibration, heldOut }] }) });
  renderPart(<CalibrationCard collection={7} mode="hybrid" />);
  expect(
    await screen.findByText(/off by 5.1 points of 100 on average. That is much: judge more/),
  ).toBeDefined();
});
