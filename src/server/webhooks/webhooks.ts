import { createRation } from '#server/admission/ration.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Settings } from '#server/env.ts';
import { AppError, badRequest } from '#server/errors.ts';
import {
  findAddresses,
  PrivateAddressError,
  type Resolve,
  resolveBySystem,
} from '#server/outbound/find-addresses.ts';
import { resolveByNameServers } from '#server/outbound/name-servers.ts';
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
  /** Before a test, which its caller can ask for as often as they like. @throws AppError TOO_MANY_REQUESTS */
  assertMayTest(requester: Requester): void;
  /** Sends one message once. */
  send(message: Message): Promise<Posted>;
  /** Sends what is due; without being asked, too, once it is started. */
  deliverDue(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface WebhookParts extends Omit<DeliverParts, 'post'> {
  settings: Pick<Settings, 'webhooksToPrivateAddresses'>;
  /** By the name servers, or by the system where hosts of its own may be named, unless told. */
  resolve?: Resolve;
  timeoutMs?: number;
}

/** Who tries it on a machine of their own should learn that there is a way. */
const unlessAllowed = '; whoever runs this server can allow it';

const lookupMsMax = 5_000;

/** Each is a message to whatever address its caller has given. */
const perTenant = limits.webhookTestsPerMinute;
const testsAMinute = { perMinute: 10 * perTenant, perTenant, keptForOthers: 5 * perTenant };
const manyTests = `An account sends ${perTenant} tests a minute, and all together ten times that; try again in a minute`;

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { settings, clock, timeoutMs = limits.webhookSecondsMax * 1_000 } = parts;
  const mayBePrivate = settings.webhooksToPrivateAddresses;
  const resolve = parts.resolve ?? (mayBePrivate ? resolveBySystem : resolveByNameServers());
  const takeTest = createRation(testsAMinute, clock);
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
    assertMayTest({ tenant }) {
      if (takeTest(tenant)) return;
      throw new AppError('TOO_MANY_REQUESTS', manyTests, { retryAfterSeconds: 60 });
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
