import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { AssistantMessage, ConversationWithMessages } from '#shared/chat.ts';
import { type Askable, chooseCollections } from './choose-collections.ts';

interface AskableQuery {
  /** Null while it is not known. */
  askable: Askable | null;
  error: unknown;
  retry: () => unknown;
}

/** Which collections can be asked here, and which of them are. `conversation`: null for a new one. */
export function useAskable(
  conversation: ConversationWithMessages | null,
  wanted: number[] | undefined,
): AskableQuery {
  const { workspace, project, projects } = useWorkspace();
  const fixedProject = conversation?.projectId ?? null;
  // The list that is there already when a conversation is begun. One of a link may be about another workspace.
  const isHere = fixedProject === null || projects.some(({ id }) => id === fixedProject);
  const list = trpc.collections.list.useQuery(
    isHere ? { workspaceId: workspace?.id ?? 0 } : { projectId: fixedProject },
    { enabled: !isHere || workspace !== null },
  );
  const collections = list.data ?? [];
  const choice = { collections, fixedProject, project: project?.id ?? null };
  return {
    askable: list.data ? chooseCollections({ ...choice, wanted: wanted ?? askedLast(conversation) }) : null,
    error: list.error,
    retry: list.refetch,
  };
}

function askedLast(conversation: ConversationWithMessages | null): number[] | undefined {
  const answers = conversation?.messages.filter(
    (message): message is AssistantMessage => message.role === 'assistant',
  );
  return answers?.at(-1)?.collections.map(({ id }) => id);
}
