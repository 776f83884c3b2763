import { Button } from '@mantine/core';
import { KeyChoice } from '#client/components/display/key-choice.tsx';
import { copyText } from '#client/lib/copy-text.ts';
import { keyNote, keyPlaceholder, mayCall } from '#client/lib/snippet-key.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { RequestDetail } from '#shared/requests.ts';
import { curlOf } from './curl-of.ts';

/** Copies a search for the terminal, with a key of the project that may only read; nothing for what is no search. */
export function CopyCurl({ workspaceId, event }: { workspaceId: number; event: RequestDetail }) {
  const { data = [] } = trpc.collections.list.useQuery({ workspaceId });
  const collection = data.find(({ id }) => id === event.collection?.id) ?? null;
  const { keys, apiKey, choose, read, isRevealing } = useSnippetKey({
    projectId: collection?.projectId ?? null,
    fits: (key) => mayCall(key, 'read', collection),
  });
  if (curlOf(event, keyPlaceholder) === null) return null;
  const copy = async () => {
    const copied = await read();
    const command = curlOf(event, copied.key);
    if (command !== null) await copyText(command, keyNote(copied.apiKey));
  };
  return (
    <>
      <Button variant="default" size="xs" loading={isRevealing} onClick={() => void copy()}>
        Copy as curl
      </Button>
      <KeyChoice keys={keys} apiKey={apiKey} onChoose={choose} />
    </>
  );
}
