import { Text } from '@mantine/core';
import { Select } from '#client/components/later/select.tsx';
import type { ChatModel, OfferedModel } from '#shared/chat.ts';
import { models as all } from './ask-state.ts';
import classes from './composer.module.css';

interface ModelSelectProps {
  model: ChatModel;
  /** Null while it is not known what they lack. */
  models: OfferedModel[] | null;
  isDisabled: boolean;
  onChange: (model: ChatModel) => void;
}

/** Who answers. One that lacks its setting can be chosen too: that is how one learns which. */
export function ModelSelect({ model, models, isDisabled, onChange }: ModelSelectProps) {
  const needsOf = (name: string) => models?.find((each) => each.model === name)?.needs ?? null;
  return (
    <Select<ChatModel>
      size="xs"
      className={classes['model'] ?? ''}
      aria-label="Model"
      allowDeselect={false}
      disabled={isDisabled}
      data={all.map((name) => ({ value: name, label: name }))}
      value={model}
      comboboxProps={{ width: 'max-content', position: 'top-start' }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {needsOf(option.value) === null ? told[option.value] : `needs ${needsOf(option.value)}`}
          </Text>
        </div>
      )}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}

const told: Record<string, string> = {
  'vector-ai': 'Quotes your documents. Built in',
  'gpt-4': 'Writes from your documents. By OpenAI',
  claude: 'Writes from your documents. By Anthropic',
};
