const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** By its ISO 639-1 code, which stands for itself where nobody knows it. */
export function languageName(code: string): string {
  return names.of(code) ?? code;
}
