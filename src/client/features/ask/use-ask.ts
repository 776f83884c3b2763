import { useNavigate } from '@tanstack/react-router';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { conversationInput } from './conversation-input.ts';
import { tellOtherTabs } from './other-tabs.ts';
import type { NewQuestion } from './question.ts';
import { ask } from './questions.ts';

/** Asks; the answer comes wherever the reader goes, and a toast leads back to it. */
export function useAsk(): (asked: NewQuestion) => void {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const open = (conversation: number) =>
    navigate({ to: '/ask-vector/$conversation', params: { conversation } });
  return (asked) =>
    void ask(asked, {
      fetchKept: async (id) => {
        tellOtherTabs();
        void utils.conversations.list.invalidate();
        await utils.conversations.get.fetch(conversationInput(id), { staleTime: 0 });
        // The page hears of it a turn later: until then it has the answer as it came.
        await new Promise((resolve) => setTimeout(resolve));
      },
      onElsewhere: (id) => {
        if (utils.auth.me.getData()?.user?.id !== asked.userId) return;
        toast({
          title: 'Your question is answered',
          description: asked.message,
          action: { label: 'Open', altText: 'Open the conversation', onClick: () => void open(id) },
        });
      },
    });
}
