import { titleOf } from '#client/lib/document-title.ts';
import { errorMessage, failureOf } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { JsonValue } from '#shared/documents.ts';

type Fields = Record<string, JsonValue>;

interface Removed {
  id: string;
  /** Its vector came with it, so it has to come with it again. */
  hasOwnVector: boolean;
}

/** Deletes a document without asking; the toast brings it back, as it was, for as long as it is shown. */
export function useUndoableRemoval(
  collection: number,
  onRemoved: () => void,
): { remove: (document: Removed) => void; isRemoving: boolean } {
  const { client } = trpc.useUtils();
  const meta = { changes: 'documents' } as const;
  const restore = trpc.documents.write.useMutation({
    meta,
    onSuccess: ({ document }) =>
      toast({ title: 'Document restored', description: (document as { id: string }).id }),
    onError: (error, { document }) => {
      const isTaken = failureOf(error).code === 'CONFLICT';
      toast({
        title: 'The document could not be restored',
        description: errorMessage(error),
        kind: 'error',
        // It is held here alone by now.
        ...(isTaken ? {} : { action: undoOf('Try again', document as Fields) }),
      });
    },
  });
  const undoOf = (label: string, document: Fields) => ({
    label,
    altText: `${label}: restore the document on its collection's page`,
    onClick: () => restore.mutate({ collection, action: 'create', document }),
  });
  const remove = trpc.documents.delete.useMutation({ meta });
  const run = async ({ id, hasOwnVector }: Removed) => {
    try {
      const embedding = hasOwnVector ? await vectorOf(id) : {};
      const document = (await remove.mutateAsync({ collection, id })) as Fields;
      onRemoved();
      toast({
        title: 'Document deleted',
        description: titleOf(id, document),
        action: undoOf('Undo', { ...document, ...embedding }),
      });
    } catch (error) {
      toast({
        title: 'The document could not be deleted',
        description: errorMessage(error),
        kind: 'error',
      });
    }
  };
  const vectorOf = async (id: string) => {
    const whole = (await client.documents.get.query({ collection, id, include_embedding: true })) as Fields;
    return { embedding: whole['embedding'] ?? null };
  };
  return { remove: (document) => void run(document), isRemoving: remove.isPending };
}
