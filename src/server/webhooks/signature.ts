import { createHmac, randomBytes } from 'node:crypto';

/** As Standard Webhooks has it (https://www.standardwebhooks.com): 24 to 64 random bytes as base64, behind a prefix. */
const prefix = 'whsec_';
const secretBytes = 32;

export function makeWebhookSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`;
}

export function makeMessageId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

interface Message {
  id: string;
  /** Of this attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The headers by which a receiver knows who sent it, that it is whole, and when. */
export function signedHeaders(secret: string, { id, timestamp, body }: Message): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
