import { SegmentedControl, Stack, Text } from '@mantine/core';

interface ChoiceFieldProps<Value extends string> {
  label: string;
  /** What each is called, and what it does. */
  choices: Record<Value, { label: string; effect: string }>;
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few values, with what the chosen one does below it. */
export function ChoiceField<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: ChoiceFieldProps<Value>) {
  const values = Object.keys(choices) as Value[];
  return (
    <Stack gap={4} align="flex-start">
      <SegmentedControl
        size="xs"
        aria-label={label}
        data={values.map((each) => ({ value: each, label: choices[each].label }))}
        value={value}
        onChange={(next) => onChange(next as Value)}
      />
      <Text size="xs" c="dimmed">
        {choices[value].effect}
      </Text>
    </Stack>
  );
}
