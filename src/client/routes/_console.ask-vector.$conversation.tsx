import { createFileRoute } from '@tanstack/react-router';
import { conversationInput } from '#client/features/ask/conversation-input.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { idParam } from '#client/lib/search-params.ts';

/** Shown by the page around it. */
export const Route = createFileRoute('/_console/ask-vector/$conversation')({
  params: {
    parse: ({ conversation }) => ({ conversation: idParam(conversation) }),
    stringify: ({ conversation }) => ({ conversation: String(conversation) }),
  },
  loader: async ({ context, params: { conversation } }) => {
    const input = conversationInput(conversation);
    await context.trpc.conversations.get.prefetch(input);
    return { name: context.trpc.conversations.get.getData(input)?.name ?? 'Conversation' };
  },
  head: ({ loaderData }) => pageTitle(loaderData?.name ?? 'Conversation', 'Ask Vector'),
});
