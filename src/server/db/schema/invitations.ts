import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { roles } from '#shared/roles.ts';
import { createdAt, id, moment, reference } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Links that make whoever accepts one a member. One that has ended stays for a while, so that its link can say why it is not good. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** SHA-256 of the link's token, in hex: a dump of the table opens nothing. */
    tokenHash: text().notNull(),
    role: text({ enum: roles }).notNull(),
    /** As `identityKey` makes it: only this account may accept. Null: whoever has the link. */
    email: text(),
    /** No foreign key, as of events. */
    invitedBy: reference(),
    expiresAt: moment().notNull(),
    acceptedAt: moment(),
    revokedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    index('invitations_workspace').on(table.workspaceId),
    index('invitations_inviter').on(table.invitedBy, table.createdAt),
  ],
);
