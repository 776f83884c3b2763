import { keyNote, keyPlaceholder } from '#client/lib/snippet-key.ts';
import type { SnippetKey } from '#client/lib/use-snippet-key.ts';
import { KeyChoice } from './key-choice.tsx';
import { Snippet } from './snippet.tsx';

interface KeyedSnippetProps {
  title: string;
  snippetKey: SnippetKey;
  /** The command with this key. */
  command: (key: string) => string;
  /** False: the choice stands elsewhere, for several. */
  hasChoice?: boolean;
}

/** A command with a key of the reader's in it: masked as it is shown, whole as it is copied. */
export function KeyedSnippet({ title, snippetKey, command, hasChoice = true }: KeyedSnippetProps) {
  const { keys, apiKey, choose, read } = snippetKey;
  return (
    <Snippet
      title={title}
      code={command(apiKey?.key ?? keyPlaceholder)}
      copied={async () => {
        const copied = await read();
        return { text: command(copied.key), description: keyNote(copied.apiKey) };
      }}
      choice={hasChoice && <KeyChoice keys={keys} apiKey={apiKey} onChoose={choose} />}
    />
  );
}
