import type { Settings } from '#server/env.ts';
import { badRequest } from '#server/errors.ts';
import {
  findAddresses,
  PrivateAddressError,
  type Resolve,
  resolveBySystem,
} from '#server/outbound/find-addresses.ts';
import { within } from '#server/within.ts';
import { limits } from '#shared/limits.ts';
import { attempt, type DeliverParts, deliverDue } from './deliver-due.ts';
import { type Posted, post } from './post.ts';
import { startDeliveries } from './start-deliveries.ts';

type Message = Parameters<typeof attempt>[1];

/** Alerts told to addresses that users give. */
export interface Webhooks {
  /** That the operator lets messages be sent there. @throws AppError BAD_REQUEST naming the field `url` */
  assertAllowed(url: string): Promise<void>;
  /** Sends one message once. */
  send(message: Message): Promise<Posted>;
  /** Sends what is due; without being asked, too, once it is started. */
  deliverDue(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface WebhookParts extends Omit<DeliverParts, 'post'> {
  settings: Pick<Settings, 'webhooksToPrivateAddresses'>;
  /** The system's, unless told. */
  resolve?: Resolve;
  timeoutMs?: number;
}

/** Who tries it on a machine of their own should learn that there is a way. */
const unlessAllowed = '; whoever runs this server can allow it';

const lookupMsMax = 5_000;

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { settings, resolve = resolveBySystem, timeoutMs = limits.webhookSecondsMax * 1_000 } = parts;
  const mayBePrivate = settings.webhooksToPrivateAddresses;
  const options = { resolve, mayBePrivate, timeoutMs };
  const delivering: DeliverParts = {
    ...parts,
    post: (posting, signal) => post(posting, { ...options, ...(signal && { signal }) }),
  };
  let started: ReturnType<typeof startDeliveries> | null = null;
  return {
    async assertAllowed(url) {
      if (mayBePrivate) return;
      const { protocol, hostname } = new URL(url);
      if (protocol !== 'https:') throw badRequest('url', `must begin with https://${unlessAllowed}`);
      try {
        await within(findAddresses(hostname, options), lookupMsMax, () => new Error('no answer'));
      } catch (error) {
        const isPrivate = error instanceof PrivateAddressError;
        const told = isPrivate
          ? `must not lead to a private address${unlessAllowed}`
          : 'its host is not known';
        throw badRequest('url', told);
      }
    },
    send: (message) => attempt(delivering, message),
    deliverDue: () => deliverDue(delivering),
    start() {
      started ??= startDeliveries(delivering);
    },
    async stop() {
      await started?.stop();
    },
  };
}
