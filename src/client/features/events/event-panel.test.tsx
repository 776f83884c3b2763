import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { EventPanel } from './event-panel.tsx';

it.each([
  ['NOT_FOUND', 'This event is not kept any more'],
  ['UNAVAILABLE', 'The event could not be loaded'],
] as const)('says of an event that is answered %s: %s', async (code, title) => {
  answerTrpc({ 'requests.get': () => refuse({ code, message: 'Away' }) });
  renderPart(<EventPanel workspaceId={1} event={4} onClose={() => undefined} />);
  expect(await screen.findByText(title)).toBeDefined();
});
