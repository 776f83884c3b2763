import { Button } from '@mantine/core';
import classes from './filter-box.module.css';
import { suggestFilter } from './suggest-filter.ts';

interface MeantFilterProps {
  text: string;
  fields: string[];
  onType: (filter: string) => void;
}

/** Offers the form that can be read, where it is known what is meant. */
export function MeantFilter({ text, fields, onType }: MeantFilterProps) {
  const meant = suggestFilter(text, fields);
  if (meant === null) return null;
  return (
    <Button variant="light" size="compact-xs" mt={4} onClick={() => onType(meant)}>
      Use <code className={classes['meant']}>{meant}</code>
    </Button>
  );
}
