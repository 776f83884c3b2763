import { Alert, Button, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { withoutLeastRelevance } from '#client/lib/tuned-search.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';

interface RelevanceNotToldProps {
  state: SearchState;
  onChange: ChangeSearch;
}

/** A link asks for a least relevance where there is none to compare. */
export function RelevanceNotTold({ state, onChange }: RelevanceNotToldProps) {
  return (
    <Alert
      color="yellow"
      icon={<Icon shape={alertTriangleIcon} />}
      title="These hits have no relevance to go by"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          This link leaves out hits below a relevance. The collection is not calibrated for such searches, or
          the search weighs words and meaning otherwise than its settings.
        </Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => onChange({ alpha: undefined, tuned: withoutLeastRelevance(state.tuned), page: 1 })}
        >
          Show all hits
        </Button>
      </Stack>
    </Alert>
  );
}
