import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { previewFile, type UploadPreview } from './upload-format.ts';

type FileState =
  | { step: 'choose'; fault: string | null }
  | { step: 'reading'; file: File }
  | { step: 'ready'; file: File; preview: UploadPreview };

/** A file from being chosen to its first rows. */
export function useImportFile(given: File | undefined) {
  const [state, setState] = useState<FileState>(
    given ? { step: 'reading', file: given } : { step: 'choose', fault: null },
  );
  const chosen = useRef<File | null>(null);

  const choose = async (file: File) => {
    chosen.current = file;
    setState({ step: 'reading', file });
    const next = await previewFile(file).then(
      (preview): FileState => ({ step: 'ready', file, preview }),
      (error): FileState => ({ step: 'choose', fault: `${file.name}: ${errorMessage(error)}` }),
    );
    // Another file may have been chosen while this one was read.
    if (chosen.current === file) setState(next);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was given is read once
  useEffect(() => {
    if (given) void choose(given);
  }, [given]);

  return {
    state,
    choose,
    reset: () => {
      chosen.current = null;
      setState({ step: 'choose', fault: null });
    },
  };
}
