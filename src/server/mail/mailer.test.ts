import { expect, test } from 'vitest';
import { startMailServer } from '#server/testing/mail-server.ts';
import { createMailer } from './mailer.ts';

test('an address is one address, whatever its characters are', async () => {
  const server = await startMailServer();
  try {
    const send = createMailer({ url: server.url, from: 'vectora@example.org' });
    const odd = [
      'ada@example.org, eve@example.org',
      'ada@example.org\r\nBcc: eve@example.org',
      'Eve <eve@example.org>, ada@example.org',
    ];
    const letter = { subject: 'Hello\r\nBcc: eve@example.org', text: 'Hello' };
    for (const to of odd) await send({ ...letter, to }).catch(() => undefined);
    await send({ ...letter, to: 'ada@example.org' });
    expect(server.letters.length).toBeGreaterThan(0);
    for (const { to, text } of server.letters) {
      expect(to).not.toContain('eve@example.org');
      expect(to).toHaveLength(1);
      expect(text).not.toMatch(/^Bcc:/m);
    }
  } finally {
    await server.close();
  }
});
