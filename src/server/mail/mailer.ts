import { createTransport } from 'nodemailer';
import type { MailSettings } from '#server/mail-settings.ts';

interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** @throws Error when no server has taken the letter */
export type Mailer = (letter: Letter) => Promise<void>;

/** A server that says nothing any more is given up. */
const waits = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
};

/** Mail over SMTP, a connection for each letter. Without TLS only to this machine, or where the URL says so. */
export function createMailer({ url, from }: MailSettings): Mailer {
  const { hostname, searchParams } = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const isChosen = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => searchParams.has(name));
  const options = { url, ...waits, disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport({ ...options, ...(isLocal || isChosen ? {} : { requireTLS: true }) });
  return async ({ to, subject, text }) => {
    // As an object, an address is one address whatever its characters are.
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  };
}
