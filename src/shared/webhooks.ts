import { z } from 'zod';
import { entityId, moment, name } from './fields.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';

/** What a webhook is sent for. */
export const webhookEvents = ['alert.raised', 'alert.resolved', 'webhook.test'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const hasCredentials = /^https?:[/\\]*[^/?#\\]*@/i;

/** Where it is sent to; the server says whether it may send there. */
const url = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with https://', abort: true })
  .max(limits.webhookUrlCharactersMax, `must be at most ${limits.webhookUrlCharactersMax} characters`)
  .refine((text) => !hasCredentials.test(text), 'must not contain a user or password');

/** What can be set, at the beginning and later. */
const settings = z.strictObject({ name, url, isActive: z.boolean() });

/** The last time that something was sent. */
const lastDelivery = z.object({
  event: z.enum(webhookEvents),
  /** What the receiver answered; null: it did not. */
  status: z.int().nullable(),
  /** Why it does not count as received; null: it does. */
  error: z.string().nullable(),
  /** How often it has been tried. */
  attempts: z.int(),
  sentAt: moment,
  /** When it is tried again; null: not any more. */
  nextAt: moment.nullable(),
});

/** Where a workspace's alerts are sent when they are raised and when they are resolved. */
export const webhookShape = z
  .object({
    id: z.int(),
    workspaceId: z.int(),
    name: z.string(),
    url: z.string(),
    isActive: z.boolean(),
    lastDelivery: lastDelivery.nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof webhookShape>;

/** The only answers with the secret that its messages are signed with. */
export const newWebhookShape = webhookShape.extend({ secret: z.string() }).meta({ id: 'NewWebhook' });
export type NewWebhook = z.output<typeof newWebhookShape>;

/** What became of a test. */
export const webhookTestShape = z.object({
  status: z.int().nullable(),
  error: z.string().nullable(),
  tookMs: z.number(),
});
export type WebhookTest = z.output<typeof webhookTestShape>;

export const webhookList = z.strictObject({ workspaceId: entityId, ...pageFields });
export const webhookRef = z.strictObject({ id: entityId });
export const webhookCreate = settings.extend({
  workspaceId: entityId,
  isActive: settings.shape.isActive.default(true),
});
export const webhookUpdate = settings.partial().extend({ id: entityId });
