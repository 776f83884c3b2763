import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { ContactButton } from './contact-button.tsx';

const meta = document.createElement('meta');
meta.name = 'contact-email';
afterEach(() => meta.remove());

it('begins a letter to whom the server names', async () => {
  meta.content = 'sales@example.com';
  document.head.append(meta);
  renderPart(<ContactButton subject="A demo of Vectora">Schedule Demo</ContactButton>);
  const link = await screen.findByRole('link', { name: 'Schedule Demo' });
  expect(link.getAttribute('href')).toBe('mailto:sales@example.com?subject=A%20demo%20of%20Vectora');
});

it.each(['', '__CONTACT_EMAIL__'])('says that nobody is named where the page says "%s"', async (content) => {
  meta.content = content;
  document.head.append(meta);
  renderPart(<ContactButton subject="A demo of Vectora">Schedule Demo</ContactButton>);
  await userEvent.click(await screen.findByRole('button', { name: 'Schedule Demo' }));
  expect(await screen.findByText(/has named nobody to write to/)).toBeDefined();
});
