import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A letter as it arrived. */
interface Arrived {
  from: string;
  to: string[];
  /** Headers and text, with lines and characters as they were written. */
  text: string;
}

/** A real SMTP server on a port of its own, which offers no TLS unless told. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const letters: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        letters.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: decode(raw) });
        done();
      }, done);
    },
    ...options,
  });
  // Callers that break off are none of a test's business.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Quoted-printable, which long lines are sent as. */
function decode(raw: string): string {
  const joined = raw.replaceAll('=\r\n', '');
  if (!raw.includes('quoted-printable')) return raw;
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
