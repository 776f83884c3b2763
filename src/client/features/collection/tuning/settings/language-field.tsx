import { Button, Select, Stack, Text } from '@mantine/core';
import { languageName } from '#client/lib/language-name.ts';
import type { ShownSettings } from '#shared/search-settings.ts';
import { detectedText } from '../../detected-text.ts';

interface LanguageFieldProps {
  /** ISO 639-1; null: none is said. */
  value: string | null;
  /** As they are saved. */
  saved: ShownSettings;
  onChange: (language: string | null) => void;
}

/** Those that most texts are in; another one that was set over REST is shown beside them. */
const codes = [
  ...['ar', 'bg', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr', 'hu'],
  ...['id', 'it', 'ja', 'ko', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th'],
  ...['tr', 'uk', 'vi', 'zh'],
];

/** The language that the texts of a collection are in. */
export function LanguageField({ value, saved, onChange }: LanguageFieldProps) {
  const shown = value === null || codes.includes(value) ? codes : [...codes, value];
  const options = shown.map((code) => ({ value: code, label: languageName(code) }));
  const { detected_language: detected } = saved;
  const isDetectedRead = detected === (value ?? (saved.language === null ? saved.acting_language : null));
  return (
    <Stack gap={4} align="flex-start">
      <Select
        w="14rem"
        size="sm"
        aria-label="Language of the texts"
        placeholder={saved.language === null ? languageName(saved.acting_language) : 'Not said'}
        searchable
        clearable
        nothingFoundMessage="No such language here; over REST any language of ISO 639-1 is taken"
        data={options.sort((a, b) => a.label.localeCompare(b.label))}
        value={value}
        onChange={onChange}
      />
      {detected !== null && (
        <Text size="xs" c="dimmed">
          {detectedText(detected, saved.detected_documents)}
        </Text>
      )}
      {detected !== null && !isDetectedRead && (
        <Button size="compact-xs" variant="light" onClick={() => onChange(detected)}>
          Use {languageName(detected)}
        </Button>
      )}
    </Stack>
  );
}
