import { limits } from '#shared/limits.ts';

/** A conversation as the page and its route ask for it: with all of its messages. */
export const conversationInput = (id: number) => ({ id, per_page: limits.conversationMessagesMax });
