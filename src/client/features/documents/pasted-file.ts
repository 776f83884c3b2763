/** What was pasted, as a file; null: it is nothing to import, as a word or a sentence. */
export function pastedFile(clipboard: DataTransfer | null): File | null {
  const file = clipboard?.files[0];
  if (file) return file;
  const text = clipboard?.getData('text/plain') ?? '';
  return looksLikeData(text) ? textFile(text) : null;
}

export function textFile(text: string): File {
  return new File([text], 'pasted text', { type: 'text/plain' });
}

/** JSON, or several lines with as many cells each. */
function looksLikeData(text: string): boolean {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return trimmed.length > 2;
  const lines = trimmed.split('\n').slice(0, 5);
  if (lines.length < 2) return false;
  return ['\t', ',', ';', '|'].some((delimiter) => {
    const cells = lines.map((line) => line.split(delimiter).length);
    return (cells[0] ?? 0) > 1 && cells.every((count) => count === cells[0]);
  });
}
