import { Select } from '@mantine/core';

interface LanguageFieldProps {
  /** ISO 639-1; null: none is said. */
  value: string | null;
  onChange: (language: string | null) => void;
}

/** Those that most texts are in; another one that was set over REST is shown beside them. */
const codes = [
  ...['ar', 'bg', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr', 'hu'],
  ...['id', 'it', 'ja', 'ko', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th'],
  ...['tr', 'uk', 'vi', 'zh'],
];
const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** The language that the texts of a collection are in. */
export function LanguageField({ value, onChange }: LanguageFieldProps) {
  const shown = value === null || codes.includes(value) ? codes : [...codes, value];
  const options = shown.map((code) => ({ value: code, label: names.of(code) ?? code }));
  return (
    <Select
      w="14rem"
      size="sm"
      aria-label="Language of the texts"
      placeholder="Not said"
      searchable
      clearable
      nothingFoundMessage="No such language here; over REST any two letters are taken"
      data={options.sort((a, b) => a.label.localeCompare(b.label))}
      value={value}
      onChange={onChange}
    />
  );
}
